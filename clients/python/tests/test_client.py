"""Runs against a real server of the fixture dataset: HSAPI_URL and HSAPI_KEY name it. Faults come from a small server of our own."""

import json
import os
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hsapi_client import Client, HsapiError  # noqa: E402

URL = os.environ["HSAPI_URL"]
KEY = os.environ["HSAPI_KEY"]


class AgainstTheServer(unittest.TestCase):
    def setUp(self):
        self.hs = Client(URL, KEY)

    def test_codes(self):
        record = self.hs.lookup("852321", include=["path", "rate"])
        self.assertEqual([step["hs_code"] for step in record["path"]], ["85", "8523"])
        self.assertEqual(record["tariff_rate"], 5)
        self.assertEqual(self.hs.lookup("852321", country="SA", as_of="2026-03-01")["tariff_rate"], 20)
        page = self.hs.children("8523", limit=1)
        self.assertEqual((len(page), page.limit, page.offset), (1, 1, 0))
        everything = [child["hs_code"] for child in self.hs.every_child("8523", limit=1)]
        self.assertEqual(everything, [child["hs_code"] for child in self.hs.children("8523")])
        self.assertEqual(len(everything), page.total)
        self.assertEqual(list(self.hs.every_line("852321")), self.hs.lines("852321").items)
        self.assertTrue(self.hs.chapters())
        self.assertEqual(self.hs.notes("S16")["scope"], "S16")
        self.assertEqual(self.hs.edition(2017, "852321")["relation"], "same")

    def test_words(self):
        self.assertRegex(self.hs.search("بطاقات").items[0]["hs_code"], "^8523")
        self.assertTrue(self.hs.suggest("hor", limit=2, lang="en"))
        self.assertTrue(list(self.hs.every_result("cards", limit=2)))
        found = self.hs.classify(["magnetic cards", {"text": "smartphone", "hs_code": "851713"}], limit=2)
        self.assertEqual([one["text"] for one in found], ["magnetic cards", "smartphone"])

    def test_many(self):
        found = self.hs.resolve(["8523.21"] * 1001)
        self.assertEqual(len(found), 1001)
        self.assertEqual({one["hs_code"] for one in found}, {"852321"})
        self.assertEqual(self.hs.resolve([]), [])

    def test_tariff(self):
        estimate = self.hs.tariff("852321", "1000", include_vat=True, vat_rate=15)
        self.assertEqual(estimate["calculation"]["landed_cost"], 1207.5)
        items = [{"hs_code": "852321", "value": 1000}, {"hs_code": "77", "value": 1}]
        invoice = self.hs.invoice(items, include_vat=True, vat_rate=15)
        self.assertEqual(invoice["totals"]["landed_cost"], 1207.5)
        self.assertEqual(invoice["items"][1]["error"]["code"], "not_found")

    def test_service(self):
        self.assertEqual(Client(URL).health()["status"], "ok")
        self.assertEqual(self.hs.dataset()["languages"], ["en", "ar"])
        self.assertEqual(self.hs.changes("1.2.0", kind="words").total, 2)
        self.assertEqual(len(list(self.hs.every_change(limit=2))), 6)
        self.assertGreater(self.hs.limits.limit_minute, 0)

    def test_refusals(self):
        with self.assertRaises(HsapiError) as caught:
            self.hs.lookup("852399")
        error = caught.exception
        self.assertEqual((error.code, error.status, error.details["nearest"]), ("not_found", 404, "8523"))
        self.assertIn("852399 is not in the dataset", str(error))
        for ask, code in [
            (lambda: self.hs.lookup("85/?x"), "invalid_code"),
            (lambda: self.hs.search("x"), "query_too_short"),
            (lambda: self.hs.changes("0.0.1"), "invalid_parameter"),
            (lambda: Client(URL).dataset(), "missing_api_key"),
            (lambda: Client(URL, "hs_free_nobody").dataset(), "invalid_api_key"),
            (lambda: Client("http://127.0.0.1:9", retries=0).health(), "network_error"),
        ]:
            with self.assertRaises(HsapiError) as caught:
                ask()
            self.assertEqual(caught.exception.code, code)
        with self.assertRaises(ValueError):
            Client("ftp://host")

    def test_an_unchanged_answer_is_not_sent_again(self):
        first = self.hs.lookup("852321")
        first["hs_code"] = "changed by the caller"
        again = self.hs.lookup("852321")
        self.assertEqual(again["hs_code"], "852321")


class Scripted(BaseHTTPRequestHandler):
    """Answers with what the test lined up, and remembers the requests."""

    answers: list = []
    seen: list = []

    def do_GET(self):
        type(self).seen.append((self.path, dict(self.headers)))
        status, headers, body = type(self).answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


OK = json.dumps({"success": True, "data": {"status": "ok"}, "meta": {}}).encode()


def refusal(code):
    return json.dumps({"success": False, "error": {"code": code, "message": "Wait."}, "meta": {}}).encode()


LIMITED = refusal("rate_limit_exceeded")
BUSY = refusal("busy")


class AgainstFaults(unittest.TestCase):
    def setUp(self):
        self.server = HTTPServer(("127.0.0.1", 0), Scripted)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.slept = []
        Scripted.seen = []

    def client(self, **options):
        return Client(self.url, "hs_free_secret", sleep=self.slept.append, **options)

    def test_a_refusal_for_now_is_repeated_after_retry_after(self):
        Scripted.answers = [
            (429, {"Retry-After": "3"}, LIMITED),
            (503, {"Retry-After": "2"}, BUSY),
            (503, {}, b"busy"),
            (200, {}, OK),
        ]
        self.assertEqual(self.client(retries=3).health()["status"], "ok")
        self.assertEqual(len(self.slept), 3)
        self.assertTrue(3 <= self.slept[0] <= 3.25)
        self.assertTrue(2 <= self.slept[1] <= 2.25)
        self.assertTrue(0 < self.slept[2] < 1)

    def test_a_long_wait_and_the_last_attempt_are_raised(self):
        Scripted.answers = [(429, {"Retry-After": "3600"}, LIMITED)]
        with self.assertRaises(HsapiError) as caught:
            self.client().health()
        self.assertEqual((caught.exception.status, caught.exception.retry_after), (429, 3600))
        Scripted.answers = [(502, {}, b"")] * 3
        with self.assertRaises(HsapiError) as caught:
            self.client().health()
        self.assertEqual(caught.exception.code, "unexpected_answer")
        self.assertEqual(Scripted.answers, [])

    def test_a_key_does_not_follow_a_redirect(self):
        Scripted.answers = [(302, {"Location": f"{self.url}/elsewhere"}, b"")]
        with self.assertRaises(HsapiError) as caught:
            self.client().health()
        self.assertEqual(caught.exception.status, 302)
        self.assertEqual(len(Scripted.seen), 1)

    def test_tags_are_sent_back(self):
        Scripted.answers = [(200, {"ETag": 'W/"1"'}, OK), (304, {}, b"")]
        hs = self.client()
        self.assertEqual(hs.health(), hs.health())
        self.assertEqual(Scripted.seen[1][1]["If-None-Match"], 'W/"1"')

    def test_what_is_not_an_answer_is_refused(self):
        for body in [b"<html>", b"[]", b'{"success":true}']:
            Scripted.answers = [(200, {}, body)]
            with self.assertRaises(HsapiError) as caught:
                self.client().health()
            self.assertEqual(caught.exception.code, "unexpected_answer")


if __name__ == "__main__":
    unittest.main()
