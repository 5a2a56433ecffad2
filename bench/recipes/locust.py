"""
Locust (https://locust.io), a fixed number of users at a steady pace. Tested in test/recipes with version 2.12 of Debian.

    npx hsapi feed --kind urls --count 20000 --out mix.csv
    KEY=... FEED=mix.csv P99_MS=50 locust -f bench/recipes/locust.py --headless -u 50 -r 50 -t 35s -H http://127.0.0.1:8080

If answers arrive in time, each user sends ten requests a second (PACE), so 50 users send 500. A user who waits for an answer
sends fewer, so latencies look better than they are. Statistics of the first WARM seconds (5) are discarded. Result: the table
by kind of request, then the last line. Exit code 1 if p99 (P99_MS, milliseconds) or errors (ERRORS, percent) are above the
limit. One Locust process sends some hundred to some thousand requests a second; --processes or workers send more.
"""
import csv
import itertools
import os

import gevent
from locust import FastHttpUser, constant_throughput, events, task

UNKNOWN_KEY = "hs_free_00000000000000000000000000000000_000000"
P99_MS = float(os.environ.get("P99_MS", "50"))
ERRORS = float(os.environ.get("ERRORS", "0.1"))
WARM = float(os.environ.get("WARM", "5"))

with open(os.environ.get("FEED", "mix.csv"), encoding="utf-8") as file:
    ROWS = itertools.cycle(list(csv.DictReader(file)))


class Caller(FastHttpUser):
    wait_time = constant_throughput(float(os.environ.get("PACE", "10")))

    @task
    def ask(self):
        row = next(ROWS)
        key = os.environ["KEY"] if row["key"] == "own" else UNKNOWN_KEY
        headers = {"X-Api-Key": key}
        with self.client.get(row["url"], name=row["kind"], headers=headers, catch_response=True) as response:
            if response.status_code == int(row["status"]):
                response.success()
            else:
                response.failure(f"{response.status_code} instead of {row['status']}")


@events.test_start.add_listener
def forget_warm_up(environment, **_):
    gevent.spawn_later(WARM, environment.stats.reset_all)


@events.quitting.add_listener
def judge(environment, **_):
    total = environment.stats.total
    p99 = total.get_response_time_percentile(0.99) or 0
    share = 100 * total.fail_ratio
    held = total.num_requests > 0 and p99 <= P99_MS and share <= ERRORS
    word = "held" if held else "BROKEN"
    print(f"{word}: p99 {p99} ms (at most {P99_MS:g}), errors {share:.3f} % (at most {ERRORS:g})")
    environment.process_exit_code = 0 if held else 1
