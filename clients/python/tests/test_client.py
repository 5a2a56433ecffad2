"""Runs against a real server of the fixture dataset: HSAPI_URL and HSAPI_KEY name it. Faults come from a small server of our own."""

import gzip
import json
import os
import socket
import ssl
import sys
import threading
import time
import traceback
import unittest
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hsapi_client import _INVOICE_ITEM, _OPTIONS, Client, HsapiError, Limits  # noqa: E402

URL = os.environ["HSAPI_URL"]
KEY = os.environ["HSAPI_KEY"]
# with SSL_CERT_FILE, a certificate of this machine that clients trust
TLS_CERT = os.environ.get("HSAPI_TLS_CERT")


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
        self.assertTrue(self.hs.search("cards", include="path", fields=["hs_code"]).items[0]["path"])

    def test_lists_of_any_length(self):
        items = ["horses", "x", {"text": "cards", "hs_code": "99"}, 5, *["cards"] * 120, "y"]
        found = list(self.hs.classify_all(iter(items), limit=1))
        self.assertEqual(len(found), len(items))
        self.assertEqual([place for place, one in enumerate(found) if "error" in one], [1, 2, 3, 124])
        self.assertEqual(found[124]["item"], "y")
        self.assertRegex(found[124]["error"]["message"], r"items\[124\]\.text")
        self.assertEqual([one["text"] for one in found if "error" not in one], ["horses", *["cards"] * 120])
        resolved = list(self.hs.resolve_all(["85", 85, "8523.21"]))
        self.assertEqual(["error" in one for one in resolved], [False, True, False])
        with self.assertRaises(HsapiError) as caught:
            list(self.hs.classify_all(["cards"], limit=0))
        self.assertEqual(caught.exception.details["parameter"], "limit")
        with self.assertRaises(HsapiError):
            self.hs.resolve_all("0101")

    def test_many(self):
        found = self.hs.resolve(["8523.21"] * 1001)
        self.assertEqual(len(found), 1001)
        self.assertEqual({one["hs_code"] for one in found}, {"852321"})
        self.assertEqual(self.hs.resolve([]), [])

    def test_a_list_of_searches_of_any_length(self):
        found = self.hs.search_many(["iphone", {"q": "cards", "level": 6, "limit": 1}, "x"], include=["matched"], facets=["level"])
        self.assertEqual([one["q"] for one in found], ["iphone", "cards", "x"])
        self.assertEqual(found[0]["items"][0]["matched"], {"text": "iphone", "lang": "en"})
        self.assertEqual((found[1]["limit"], len(found[1]["items"])), (1, 1))
        self.assertIn("level", found[1]["facets"])
        self.assertEqual(found[2]["error"]["code"], "query_too_short")
        self.assertEqual(self.hs.search_many([]), [])
        words = [f"card {n}" for n in range(120)]
        self.assertEqual([one["q"] for one in self.hs.search_many(words)], words)
        # with include, a request has at most 250 results
        wide = self.hs.search_many([{"q": "cards", "limit": 50}] * 12, include=["path"])
        self.assertEqual([one["limit"] for one in wide], [50] * 12)
        self.assertEqual(self.hs.search_many(["852321"], country="SA", as_of="2026-03-01")[0]["items"][0]["tariff_rate"], 20)

    def test_a_long_list_is_split_into_requests_that_the_server_accepts(self):
        titles = ["بطاقات ممغنطة " + "س" * 480] * 100
        self.assertEqual(len(self.hs.classify(titles, limit=1)), 100)
        words = ["بطاقات " + "س" * 190] * 50
        self.assertEqual(len(self.hs.search_many(words)), 50)
        self.assertEqual(len(self.hs.resolve(["8523.21" + " " * 60] * 1000)), 1000)

    def test_an_error_names_an_item_by_its_position_in_the_whole_list(self):
        with self.assertRaises(HsapiError) as caught:
            self.hs.classify(["cards"] * 120 + ["x"])
        self.assertEqual(caught.exception.details["parameter"], "items[120].text")
        self.assertIn("items[120].text", str(caught.exception))

    def test_tariff(self):
        estimate = self.hs.tariff("852321", "1000", include_vat=True, vat_rate=15)
        self.assertEqual(estimate["calculation"]["landed_cost"], 1207.5)
        items = [{"hs_code": "852321", "value": 1000}, {"hs_code": "77", "value": 1}]
        invoice = self.hs.invoice(items, include_vat=True, vat_rate=15)
        self.assertEqual(invoice["totals"]["landed_cost"], 1207.5)
        self.assertEqual(invoice["items"][1]["error"]["code"], "not_found")
        exact = self.hs.tariff("852321", "123456789012.345", include=["exact"])["exact"]
        self.assertEqual(exact["declared_value"], "123456789012.345")
        self.assertEqual(self.hs.invoice(items, include=["exact"])["exact"]["import_duty_amount"], "50")

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

    def test_an_unknown_option_is_refused_with_the_nearest_known_option(self):
        hs = Client("http://127.0.0.1:9", retries=0)  # nothing is sent
        items = [{"hs_code": "852321", "value": 1}, {"hs_code": "852321", "value": 1, "frieght": 5}]
        for ask, parameter, nearest in [
            (lambda: hs.tariff("852321", 1, contry="SA"), "contry", "country"),
            (lambda: hs.tariff("852321", 1, includeVat=True), "includeVat", "include_vat"),
            (lambda: hs.tariff("852321", 1, discount=5), "discount", None),
            (lambda: hs.invoice([], curency="AED"), "curency", "currency"),
            (lambda: hs.invoice(items), "items[1].frieght", "freight"),
            (lambda: hs.lookup("85", contry="SA"), "contry", "country"),
            (lambda: hs.children("85", limt=1), "limt", "limit"),
            (lambda: list(hs.every_line("85", digit=8)), "digit", "digits"),
            (lambda: hs.search("cards", witin="85"), "witin", "within"),
            (lambda: hs.search_many(["cards"], facet=["level"]), "facet", "facets"),
            (lambda: hs.suggest("ca", language="en"), "language", None),
            (lambda: hs.classify(["cards"], levle=6), "levle", "level"),
            (lambda: hs.resolve(["85"], editon="2017"), "editon", "edition"),
            (lambda: hs.changes(kinds="words"), "kinds", "kind"),
        ]:
            with self.assertRaises(HsapiError) as caught:
                ask()
            error = caught.exception
            expected = {"parameter": parameter, **({"did_you_mean": nearest} if nearest else {})}
            self.assertEqual((error.code, error.status, error.details), ("invalid_parameter", 0, expected))
            self.assertIn(f"{parameter} is unknown; ", str(error))
            self.assertIn(f"did you mean {nearest}?" if nearest else "known are ", str(error))
        with self.assertRaises(HsapiError) as caught:
            self.hs.classify([{"text": "cards", "hscode": "85"}])
        self.assertEqual(caught.exception.details, {"parameter": "items[0].hscode", "did_you_mean": "hs_code"})

    def test_a_single_text_is_refused_where_a_list_is_expected(self):
        hs = Client("http://127.0.0.1:9", retries=0)  # nothing is sent
        for ask, parameter in [
            (lambda: hs.resolve("0902"), "codes"),
            (lambda: hs.classify("tea"), "items"),
            (lambda: hs.classify({"text": "tea"}), "items"),
            (lambda: hs.search_many("tea"), "queries"),
        ]:
            with self.assertRaises(HsapiError) as caught:
                ask()
            self.assertEqual((caught.exception.code, caught.exception.details), ("invalid_parameter", {"parameter": parameter}))

    def test_the_client_has_exactly_the_options_of_the_contract(self):
        with urlopen(f"{URL}/openapi.json") as response:
            contract = json.load(response)
        operations = {one["operationId"]: one for path in contract["paths"].values() for one in path.values()}

        def schema(one):
            return contract["components"]["schemas"][one["$ref"].split("/")[-1]] if "$ref" in one else one

        def names(operation):
            if "requestBody" not in operation:
                return {one["name"] for one in operation["parameters"] if one["in"] == "query"}
            return set(schema(operation["requestBody"]["content"]["application/json"]["schema"])["properties"])

        # parameters that the signature of a method names
        positional = {"hs_code", "value", "q", "include", "queries", "codes", "items", "since"}
        called = {"search_many": "searchMany", "classify": "classifyMany", "resolve": "resolveMany"}
        for method, options in _OPTIONS.items():
            self.assertEqual(set(options), names(operations[called.get(method, method)]) - (positional - set(options)), method)
        invoice = schema(operations["invoice"]["requestBody"]["content"]["application/json"]["schema"])
        self.assertEqual(set(_INVOICE_ITEM), set(invoice["properties"]["items"]["items"]["properties"]))

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
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

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

    def test_a_request_is_repeated_after_the_time_in_retry_after(self):
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

    def test_a_refusal_is_raised_if_the_wait_is_too_long_or_no_attempt_is_left(self):
        Scripted.answers = [(429, {"Retry-After": "3600"}, LIMITED)]
        with self.assertRaises(HsapiError) as caught:
            self.client().health()
        self.assertEqual((caught.exception.status, caught.exception.retry_after), (429, 3600))
        Scripted.answers = [(502, {}, b"")] * 3
        with self.assertRaises(HsapiError) as caught:
            self.client().health()
        self.assertEqual(caught.exception.code, "unexpected_answer")
        self.assertEqual(Scripted.answers, [])

    def test_the_error_of_a_later_batch_has_the_time_of_the_next_attempt(self):
        first = json.dumps({"success": True, "data": {"items": [{}] * 100}, "meta": {}}).encode()
        Scripted.answers = [(200, {}, first), (429, {"Retry-After": "3600"}, LIMITED)]
        with self.assertRaises(HsapiError) as caught:
            self.client().classify(["cards"] * 101)
        self.assertEqual((caught.exception.status, caught.exception.retry_after), (429, 3600))

    def test_a_list_of_any_length_waits_as_often_as_needed(self):
        def answer(*inputs):
            return json.dumps({"success": True, "data": [{"input": one} for one in inputs], "meta": {}}).encode()

        limits = {f"X-RateLimit-{name}": "2" for name in ("Limit-Minute", "Remaining-Minute", "Limit-Day", "Remaining-Day")}
        wait = (429, {"Retry-After": "60", **limits}, LIMITED)
        Scripted.answers = [wait, (200, limits, answer("01", "02")), wait, wait, wait, wait, (200, limits, answer("03"))]
        read = []
        codes = (read.append(code) or code for code in ["01", "02", "03"])
        found = list(self.client().resolve_all(codes))
        self.assertEqual([one["input"] for one in found], read)
        self.assertEqual(len(self.slept), 4, "the first refusal shows that the batch is too large for the key")
        self.assertTrue(all(60 <= seconds <= 60.25 for seconds in self.slept))
        Scripted.answers = [(200, limits, answer("01", "02")), (429, {"Retry-After": "3600", **limits}, LIMITED)]
        hs = self.client()
        hs.limits = Limits(2, 2, 2, 2)
        answers = hs.resolve_all(["01", "02", "03"])
        self.assertEqual([next(answers)["input"], next(answers)["input"]], ["01", "02"])
        with self.assertRaises(HsapiError) as caught:
            next(answers)
        self.assertEqual(caught.exception.retry_after, 3600)

    def test_a_key_does_not_follow_a_redirect(self):
        Scripted.answers = [(302, {"Location": f"{self.url}/elsewhere"}, b"")]
        with self.assertRaises(HsapiError) as caught:
            self.client().health()
        self.assertEqual(caught.exception.status, 302)
        self.assertEqual(len(Scripted.seen), 1)

    def test_the_etag_of_a_cached_answer_is_sent_to_the_server(self):
        Scripted.answers = [(200, {"ETag": 'W/"1"'}, OK), (304, {}, b"")]
        hs = self.client()
        self.assertEqual(hs.health(), hs.health())
        self.assertEqual(Scripted.seen[1][1]["If-None-Match"], 'W/"1"')

    def test_the_cache_drops_the_answer_that_was_used_least_recently(self):
        tagged = (200, {"ETag": 'W/"1"'}, OK)
        Scripted.answers = [tagged, tagged, (304, {}, b""), tagged, (304, {}, b"")]
        hs = self.client(cached_answers=2)
        for scope in ("84", "85", "84", "90", "84"):
            hs.notes(scope)
        sent = ["If-None-Match" in headers for _, headers in Scripted.seen]
        self.assertEqual(sent, [False, False, True, False, True])

    def test_no_item_is_lost_if_pages_are_shorter_than_requested(self):
        def page(*codes):
            meta = {"total": 3, "limit": 2, "offset": 0}
            return json.dumps({"success": True, "data": [{"hs_code": code} for code in codes], "meta": meta}).encode()

        Scripted.answers = [(200, {}, page("01")), (200, {}, page("02", "03"))]
        found = [one["hs_code"] for one in self.client().every_child("85", limit=2)]
        self.assertEqual(found, ["01", "02", "03"])
        self.assertIn("offset=1", Scripted.seen[1][0])

    def test_a_response_that_is_not_an_answer_of_the_api_raises_an_error(self):
        deep = b'{"success":true,"data":' + b"[" * 200_000
        for body in [b"<html>", b"[]", b'{"success":true}', b'{"success":true,"data":{}}', b"\xff", deep]:
            for status in (200, 400):
                Scripted.answers = [(status, {}, body)]
                with self.assertRaises(HsapiError) as caught:
                    self.client().health()
                self.assertEqual((caught.exception.code, caught.exception.status), ("unexpected_answer", status))
        for error in [b"5", b"[]", b'"no"', b"{}", b'{"code":5,"message":6}']:
            Scripted.answers = [(400, {}, b'{"success":false,"error":' + error + b"}")]
            with self.assertRaises(HsapiError) as caught:
                self.client().health()
            self.assertEqual(caught.exception.code, "unexpected_answer")
        for data, meta, ask in [
            ([], {}, lambda hs: hs.search("cards")),
            ([], {"total": "1", "limit": 1, "offset": 0}, lambda hs: hs.children("85")),
            ({}, {"total": 1, "limit": 1, "offset": 0}, lambda hs: hs.lines("85")),
            (5, {}, lambda hs: hs.classify(["cards"])),
            ({}, {}, lambda hs: hs.invoice([{"hs_code": "85", "value": 1}])),
            ([], {}, lambda hs: hs.resolve(["85"])),
        ]:
            Scripted.answers = [(200, {}, json.dumps({"success": True, "data": data, "meta": meta}).encode())]
            with self.assertRaises(HsapiError) as caught:
                ask(self.client())
            self.assertEqual(caught.exception.code, "unexpected_answer")

    def test_the_error_for_an_invalid_key_does_not_contain_the_key(self):
        for key in ["hs_free_secret\n", "hs_free_secret\r\nX: y", "hs_free secret", "hs_free_secretß", "", b"hs_free_secret"]:
            with self.assertRaises(ValueError) as caught:
                Client(self.url, key).health()
            self.assertNotIn("secret", "".join(traceback.format_exception(caught.exception)))
            self.assertIn("key must be", str(caught.exception))

    def test_a_connection_that_breaks_in_the_body_is_tried_again(self):
        packed = gzip.compress(OK)
        coded = {"Content-Encoding": "gzip"}
        for headers, body in [
            ({"Content-Length": str(len(OK))}, OK[:-5]),
            ({**coded, "Content-Length": str(len(packed))}, packed[:-5]),
            (coded, packed[:-5]),
            (coded, packed[:5]),
            (coded, b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff"),
            (coded, b"not gzip"),
        ]:
            for status in (200, 404):
                Scripted.answers = [(status, headers, body), (200, {}, OK)]
                self.assertEqual(self.client().health()["status"], "ok")
            Scripted.answers = [(200, headers, body)]
            with self.assertRaises(HsapiError) as caught:
                self.client(retries=0).health()
            self.assertEqual((caught.exception.code, caught.exception.status), ("network_error", 0))

    def test_retry_after_may_be_a_date_and_anything_else_counts_as_absent(self):
        now = datetime(2026, 5, 4, 12, tzinfo=timezone.utc)
        later = format_datetime(now + timedelta(seconds=30), usegmt=True)
        for written in [later, later.replace("GMT", "+0000"), later.replace("GMT", "-0000"), later.replace(" GMT", "")]:
            Scripted.answers = [(503, {"Retry-After": written, "Date": format_datetime(now, usegmt=True)}, BUSY), (200, {}, OK)]
            self.client().health()
            self.assertTrue(30 <= self.slept.pop() <= 30.25, written)
        Scripted.answers = [(503, {"Retry-After": format_datetime(datetime.now(timezone.utc) - timedelta(days=1))}, BUSY), (200, {}, OK)]
        self.client().health()
        self.assertTrue(0 <= self.slept.pop() <= 0.25, "a day that has passed")
        for nonsense in ["\u00b2", "soon", "", "-1", "1.5", "9" * 400]:
            Scripted.answers = [(503, {"Retry-After": nonsense}, BUSY), (200, {}, OK)]
            self.client().health()
            self.assertTrue(0 < self.slept.pop() < 1, nonsense)

    def test_limits_that_are_not_numbers_are_ignored(self):
        names = ("Limit-Minute", "Remaining-Minute", "Limit-Day", "Remaining-Day")
        for wrong in ["\u00b2", "-1", "9" * 5000, ""]:
            Scripted.answers = [(200, {f"X-RateLimit-{name}": wrong for name in names}, OK)]
            hs = self.client()
            hs.health()
            self.assertIsNone(hs.limits)


class Dripping(threading.Thread):
    """Sends a byte every twentieth of a second, for a minute."""

    def __init__(self, head: bytes, wrap=lambda sock: sock):
        super().__init__(daemon=True)
        self.head = head
        self.wrap = wrap
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.over = threading.Event()
        self.start()

    def run(self):
        try:
            with self.listener, self.wrap(self.listener.accept()[0]) as sock:
                sock.sendall(self.head)
                for _ in range(1200):
                    if self.over.wait(0.05):
                        break
                    sock.sendall(b"x")
        except OSError:
            pass


class AgainstSlowness(unittest.TestCase):
    def test_the_timeout_applies_to_the_whole_attempt(self):
        for head in [b"", b"HTTP/1.1 200 OK\r\nX-A: ", b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b"HTTP/1.1 404 No\r\n\r\n"]:
            server = Dripping(head)
            self.addCleanup(server.over.set)
            started = time.monotonic()
            with self.assertRaises(HsapiError) as caught:
                Client(f"http://127.0.0.1:{server.port}", timeout=0.5, sleep=self.fail).health()
            self.assertEqual((caught.exception.code, caught.exception.status), ("timeout", 0), head)
            # a timeout per read would start again with each byte; the limit is a minute, because the machine may be slow
            self.assertTrue(0.5 <= time.monotonic() - started < 60)
            server.over.set()
            server.join()

    @unittest.skipUnless(TLS_CERT, "HSAPI_TLS_CERT names no certificate")
    def test_over_tls(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(TLS_CERT, os.environ["HSAPI_TLS_KEY"])

        def wrap(sock):
            return context.wrap_socket(sock, server_side=True)

        for head, code in [(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(OK) + OK, None), (b"HTTP/1.1 200 OK\r\n", "timeout")]:
            server = Dripping(head, wrap)
            self.addCleanup(server.over.set)
            hs = Client(f"https://127.0.0.1:{server.port}", timeout=0.5 if code else 60, retries=0)
            if code is None:
                self.assertEqual(hs.health()["status"], "ok")
            else:
                with self.assertRaises(HsapiError) as caught:
                    hs.health()
                self.assertEqual(caught.exception.code, code)
            server.over.set()
            server.join()


if __name__ == "__main__":
    unittest.main()
