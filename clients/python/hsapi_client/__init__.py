"""Client for an hsapi server: HS codes, bilingual search, duty estimates.

One file, standard library only, Python 3.10 and newer. Fields have the names of the HTTP API; answers are plain dictionaries.

    from hsapi_client import Client, HsapiError

    hs = Client("http://127.0.0.1:8080", key="hs_free_...")
    print(hs.lookup("851713")["description"]["en"])
"""

from __future__ import annotations

import difflib
import gzip
import io
import itertools
import json
import random
import re
import socket
import time
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

__all__ = ["Client", "HsapiError", "Limits", "Page"]
__version__ = "1.0.0"

Json = Dict[str, Any]
Value = Union[str, int, float]

RESOLVE_MAX = 1000
CLASSIFY_MAX = 100
SEARCHES_MAX = 50
# maximum total number of results of the searches in one request, if the request has `include`
SEARCHES_INCLUDING_MAX = 250
SEARCHES_LIMIT = 5
PAGE_MAX = 50
BODY_BYTES_MAX = 64 * 1024
CLASSIFY_BODY_BYTES_MAX = 256 * 1024
ANSWER_BYTES_MAX = 16 * 1024 * 1024
CACHED_ANSWERS_MAX = 1000

# All requests are read-only, so a repeat only affects the count.
_RETRIED = (429, 502, 503, 504)
_BACKOFF_SECONDS = 0.2
_BACKOFF_SECONDS_MAX = 5.0
_JITTER_SECONDS = 0.25

# bytes reserved for the parts of a body around its list
_ENVELOPE_BYTES = 512
_KEY = re.compile(r"[!-~]+")
_FIGURE = re.compile(r"[0-9]{1,15}")
_NAMED_ITEM = re.compile(r"\b(items|queries)\[([0-9]{1,9})\]")

_COUNTRY = ("country", "as_of")
_LIST = ("limit", "offset", "fields", "short_max", *_COUNTRY)
_INVOICE = ("currency", "include_vat", "vat_rate", "origin", *_COUNTRY)
_SHIPMENT = ("freight", "insurance", "quantity", "unit", "sugar")
# by method: the options that its signature does not name
_OPTIONS: Dict[str, Tuple[str, ...]] = {
    "lookup": ("short_max", *_COUNTRY),
    "children": _LIST,
    "lines": ("digits", *_LIST),
    "search": ("level", "within", "rate", "facets", *_LIST),
    "search_many": ("short_max", "fields", "facets", *_COUNTRY),
    "suggest": ("limit", "lang"),
    "classify": ("level", "limit", *_COUNTRY),
    "resolve": ("edition", *_COUNTRY),
    "tariff": (*_INVOICE, *_SHIPMENT, "convert"),
    "invoice": _INVOICE,
    "changes": ("kind", "codes", "limit", "offset"),
}
_INVOICE_ITEM = ("hs_code", "value", "origin", *_SHIPMENT)


class HsapiError(Exception):
    """A refusal by the server, or a failure to reach it.

    `code` is one of the API's, or `network_error`, `timeout` or `unexpected_answer`; `status` is 0 without a response. An
    unknown option raises `invalid_parameter` before anything is sent; `details["did_you_mean"]` is the nearest known option.
    """

    def __init__(
        self,
        code: str,
        message: str,
        status: int = 0,
        details: Optional[Json] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details: Json = details or {}
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


@dataclass(frozen=True)
class Limits:
    """Limits of the key, from the latest response."""

    limit_minute: int
    remaining_minute: int
    limit_day: int
    remaining_day: int


@dataclass(frozen=True)
class Page:
    """One page of a list. Iterating over the page yields its items."""

    items: List[Json]
    total: int
    limit: int
    offset: int

    def __iter__(self) -> Iterator[Json]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class _NoRedirect(HTTPRedirectHandler):
    # the target of a redirect must not get the key
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Deadline:
    """Limits the time of a whole attempt, because the timeout of a socket starts again with every byte."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def limit(self, sock: socket.socket) -> socket.socket:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        sock.settimeout(left)
        return sock


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._deadline.limit(self._sock)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedSocket:
    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._reader = _TimedReader(sock, deadline)

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(self._reader)


class _Timed(HTTPConnection):
    """A connection whose timeout limits connecting, sending and reading together. The DNS lookup has no time limit."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline = _Deadline(float(options["timeout"]))
        self._create_connection = self._connect

    def _connect(self, address: Tuple[str, int], *_: Any) -> socket.socket:
        failure: Optional[OSError] = None
        for family, kind, protocol, _name, found in socket.getaddrinfo(*address, 0, socket.SOCK_STREAM):
            sock = socket.socket(family, kind, protocol)
            try:
                self._deadline.limit(sock).connect(found)
                return self._deadline.limit(sock)
            except OSError as error:
                sock.close()
                failure = error
        raise failure or OSError("the name has no address")

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        self._deadline.limit(self.sock)
        super().send(data)

    def response_class(self, sock: socket.socket, *args: Any, **options: Any) -> HTTPResponse:
        return HTTPResponse(_TimedSocket(sock, self._deadline), *args, **options)


class _TimedSecure(_Timed, HTTPSConnection):
    pass


class _TimedHandler(HTTPHandler):
    def do_open(self, _: Any, request: Request, **options: Any) -> Any:
        return super().do_open(_Timed, request, **options)


class _TimedSecureHandler(HTTPSHandler):
    def do_open(self, _: Any, request: Request, **options: Any) -> Any:
        return super().do_open(_TimedSecure, request, **options)


class Client:
    """Methods raise an `HsapiError` if the server refuses or cannot be reached. Use an instance in one thread only."""

    def __init__(
        self,
        url: str,
        key: Optional[str] = None,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        wait_max: float = 60.0,
        cached_answers: int = CACHED_ANSWERS_MAX,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`timeout` limits a whole attempt, in seconds. If `Retry-After` is longer than `wait_max`, an error is raised at once.

        `cached_answers`: number of answers that are cached with their ETag, so that an unchanged answer is not sent again; 0
        disables the cache.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
            raise ValueError(f"url must be an address such as http://127.0.0.1:8080, not {url!r}")
        # http.client would show a key with a line break in its exception
        if key is not None and not (isinstance(key, str) and _KEY.fullmatch(key)):
            raise ValueError("key must be one line of visible ASCII characters, without spaces; is there a line break at its end?")
        if retries < 0 or timeout <= 0 or wait_max < 0 or cached_answers < 0:
            raise ValueError("retries, timeout, wait_max and cached_answers must not be negative")
        self._base = url.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._wait_max = wait_max
        self._sleep = sleep
        self._cache: OrderedDict[str, Tuple[str, Json]] = OrderedDict()
        self._cache_max = cached_answers
        self._opener = build_opener(_NoRedirect, _TimedHandler, _TimedSecureHandler)
        self.limits: Optional[Limits] = None

    # -- codes

    def lookup(self, code: str, *, include: Sequence[str] = (), **terms: Value) -> Json:
        """One record by 2 to 14 digits. An unknown code is `not_found`, with `details["nearest"]` and `moved_to`."""
        return self._data(_code_path(code), {"include": include, **_known("lookup", terms)})

    def children(self, code: str, *, include: Sequence[str] = (), **terms: Value) -> Page:
        """The codes one level below, ascending."""
        return self._page(f"{_code_path(code)}/children", {"include": include, **_known("children", terms)})

    def lines(self, code: str, *, include: Sequence[str] = (), **terms: Value) -> Page:
        """The lines at or below a code, ascending. Goods are declared on lines."""
        return self._page(f"{_code_path(code)}/lines", {"include": include, **_known("lines", terms)})

    def every_child(self, code: str, **terms: Any) -> Iterator[Json]:
        """All children; pages are fetched as needed."""
        return _every(lambda **page: self.children(code, **{**terms, **page}), terms)

    def every_line(self, code: str, **terms: Any) -> Iterator[Json]:
        """All lines; pages are fetched as needed."""
        return _every(lambda **page: self.lines(code, **{**terms, **page}), terms)

    def chapters(self) -> List[Json]:
        """The sections with their chapters."""
        return self._data("/api/v1/chapters")

    def notes(self, scope: str) -> Json:
        """The legal notes of a chapter such as "85", a section such as "S16", or "rules"."""
        return self._data(f"/api/v1/notes/{quote(scope, safe='')}")

    def edition(self, year: Union[str, int], code: str) -> Json:
        """The current codes for a subheading of an earlier edition; for 2028, the codes that a current subheading becomes."""
        return self._data(f"/api/v1/editions/{quote(str(year), safe='')}/{quote(code, safe='')}")

    # -- words

    def search(self, q: str, *, include: Sequence[str] = (), **terms: Value) -> Page:
        """Records by English or Arabic words or the first digits of a code, best first."""
        return self._page("/api/v1/search", {"q": q, "include": include, **_known("search", terms)})

    def search_many(
        self, queries: Iterable[Union[str, Mapping[str, Any]]], *, include: Sequence[str] = (), **terms: Any
    ) -> List[Json]:
        """Answers any number of searches, in order. A search that cannot be answered has an `error` instead of a result.

        A query is a text or has `q`, `level`, `within`, `rate`, `limit` and `offset`. Each search counts as a request.
        """
        sent = [{"q": query} if isinstance(query, str) else dict(query) for query in _several("queries", queries)]
        shared = {**_known("search_many", terms), "include": list(include) or None}
        return self._post_list("/api/v1/search", "queries", sent, shared, _searches_max(sent, include))

    def every_result(self, q: str, **terms: Any) -> Iterator[Json]:
        """All results of a search; pages are fetched as needed."""
        return _every(lambda **page: self.search(q, **{**terms, **page}), terms)

    def suggest(self, q: str, **terms: Value) -> List[Json]:
        """Completions of typed text."""
        return self._data("/api/v1/suggest", {"q": q, **_known("suggest", terms)})

    def classify(self, items: Iterable[Union[str, Mapping[str, Any]]], **terms: Any) -> List[Json]:
        """Proposes codes for any number of product titles, in order. Each title counts as a request."""
        sent = [{"text": item} if isinstance(item, str) else dict(item) for item in _several("items", items)]
        known = _known("classify", terms)
        return self._post_list("/api/v1/classify", "items", sent, known, CLASSIFY_MAX, CLASSIFY_BODY_BYTES_MAX)

    def classify_all(self, items: Iterable[Union[str, Mapping[str, Any]]], **terms: Any) -> Iterator[Json]:
        """Like `classify`, for iterables of any length. Yields answers in order, as they are needed, and waits for every
        `Retry-After` up to `wait_max`. An item that the server refuses is `{"item": ..., "error": {"code", "message"}}` in its place.
        """
        known = _known("classify", terms)

        def refuse(item: Any) -> Optional[str]:
            return None if isinstance(item, (str, Mapping)) else "An item must be a text or a dictionary."

        def ask(batch: List[Any]) -> List[Json]:
            sent = [{"text": item} if isinstance(item, str) else dict(item) for item in batch]
            return _one_for_each(self._post("/api/v1/classify", {**known, "items": sent}, weight=len(batch)), batch)

        return self._answer_all(_several("items", items), CLASSIFY_MAX, CLASSIFY_BODY_BYTES_MAX, refuse, ask)

    # -- checking

    def resolve(self, codes: Iterable[str], **terms: Any) -> List[Json]:
        """Resolves any number of codes as people write them, in order. Each code counts as a request."""
        return self._post_list("/api/v1/resolve", "codes", list(_several("codes", codes)), _known("resolve", terms), RESOLVE_MAX)

    def resolve_all(self, codes: Iterable[str], **terms: Any) -> Iterator[Json]:
        """Like `resolve`, for iterables of any length. Yields answers in order, as they are needed, and waits for every
        `Retry-After` up to `wait_max`. An entry that cannot be sent is `{"item": ..., "error": {"code", "message"}}` in its place.
        """
        known = _known("resolve", terms)

        def refuse(code: Any) -> Optional[str]:
            return None if isinstance(code, str) else 'A code must be a string, such as "0902".'

        def ask(batch: List[Any]) -> List[Json]:
            return _one_for_each(self._post("/api/v1/resolve", {**known, "codes": batch}, weight=len(batch)), batch)

        return self._answer_all(_several("codes", codes), RESOLVE_MAX, BODY_BYTES_MAX, refuse, ask)

    # -- tariff

    def tariff(self, hs_code: str, value: Value, *, include: Sequence[str] = (), **terms: Any) -> Json:
        """Duty, optional VAT and landed cost of one CIF value; with `country` also excise and fees. Rates are indicative.

        `include=["exact"]` adds `exact`, the amounts as decimal strings.
        """
        query = {"hs_code": hs_code, "value": value, "include": include, **_known("tariff", terms)}
        return self._data("/api/v1/tariff/calculate", query)

    def invoice(self, items: Sequence[Mapping[str, Any]], *, include: Sequence[str] = (), **terms: Any) -> Json:
        """Up to 100 items with totals. An item that cannot be calculated has an `error` instead."""
        known = _known("invoice", terms)
        for place, item in enumerate(items):
            if isinstance(item, Mapping):
                _refuse_unknown(item, _INVOICE_ITEM, f"items[{place}].")
        data = self._post("/api/v1/tariff/calculate", {**known, "include": list(include) or None, "items": list(items)})
        _one_for_each(data, items)
        return data

    # -- service

    def health(self) -> Json:
        """Whether the service is up and its dataset loaded; needs no key."""
        return self._data("/api/v1/health")

    def dataset(self) -> Json:
        """The dataset in use."""
        return self._data("/api/v1/dataset")

    def changes(self, since: Optional[str] = None, **terms: Any) -> Page:
        """The changes in all versions of the dataset after `since`, newest first."""
        return self._page("/api/v1/changes", {"since": since or "", **_known("changes", terms)})

    def every_change(self, since: Optional[str] = None, **terms: Any) -> Iterator[Json]:
        """All changes; pages are fetched as needed."""
        return _every(lambda **page: self.changes(since, **{**terms, **page}), terms)

    # -- transport

    def _data(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._ask(path, query)["data"]

    def _page(self, path: str, query: Mapping[str, Any]) -> Page:
        answer = self._ask(path, query)
        figures = [answer["meta"].get(name) for name in ("total", "limit", "offset")]
        if not isinstance(answer["data"], list) or not all(isinstance(figure, int) for figure in figures):
            raise _unexpected()
        return Page(answer["data"], *figures)

    def _post(self, path: str, body: Mapping[str, Any], weight: int = 0) -> Any:
        given = {name: value for name, value in body.items() if value is not None}
        return self._ask(path, body=_json_bytes(given), weight=weight)["data"]

    def _answer_all(
        self,
        items: Iterable[Any],
        count_max: int,
        bytes_max: int,
        refuse: Callable[[Any], Optional[str]],
        ask: Callable[[List[Any]], List[Json]],
    ) -> Iterator[Json]:
        before = 0
        for batch in _batches(items, count_max, bytes_max - _ENVELOPE_BYTES):
            # the batch is divided if it is larger than the key's limits
            waiting = [batch]
            while waiting:
                piece = waiting.pop(0)
                answers = None if len(piece) > self._room() else self._answer_batch(piece, before, refuse, ask)
                if answers is None:
                    waiting = list(_batches(piece, self._room(), bytes_max)) + waiting
                    continue
                yield from answers
                before += len(piece)

    def _answer_batch(
        self, batch: List[Any], before: int, refuse: Callable[[Any], Optional[str]], ask: Callable[[List[Any]], List[Json]]
    ) -> Optional[List[Json]]:
        """Returns None if the batch is larger than the key's limits."""
        refused: Dict[int, Json] = {}
        for place, item in enumerate(batch):
            message = refuse(item)
            if message is not None:
                refused[place] = _refused_item(item, "invalid_parameter", message)
        while True:
            places = [place for place in range(len(batch)) if place not in refused]
            try:
                answers = iter(ask([batch[place] for place in places]) if places else [])
            except HsapiError as error:
                at = _refused_place(error, len(places))
                if at is None:
                    if error.status == 429 and len(batch) > self._room():
                        return None
                    raise
                place = places[at]
                message = _NAMED_ITEM.sub(lambda found: f"{found[1]}[{before + place}]", error.message)
                refused[place] = _refused_item(batch[place], error.code, message)
                continue
            return [refused[place] if place in refused else next(answers) for place in range(len(batch))]

    def _room(self) -> int:
        """Maximum number of items in one request."""
        return max(1, min(self.limits.limit_minute, self.limits.limit_day)) if self.limits else RESOLVE_MAX

    def _post_list(
        self, path: str, name: str, items: List[Any], terms: Mapping[str, Any], count_max: int, bytes_max: int = BODY_BYTES_MAX
    ) -> List[Json]:
        found: List[Json] = []
        for batch in _batches(items, count_max, bytes_max - _ENVELOPE_BYTES):
            try:
                found += _one_for_each(self._post(path, {**terms, name: batch}), batch)
            except HsapiError as error:
                if not found:
                    raise
                raise _numbered_from_start(error, len(found)) from error
        return found

    def _ask(
        self, path: str, query: Optional[Mapping[str, Any]] = None, body: Optional[bytes] = None, weight: int = 0
    ) -> Json:
        """Sends a request. If `weight`, its number of items, is set, repeats it as often as the server sends `Retry-After`."""
        address = self._base + path + _query_text(query or {})
        for attempt in itertools.count():
            try:
                return self._try(address, body)
            except HsapiError as error:
                wait = _wait_seconds(error, attempt)
                is_last = attempt >= self._retries and not (weight > 0 and error.retry_after is not None)
                if wait is None or wait > self._wait_max or is_last or (error.status == 429 and weight > self._room()):
                    raise
                self._sleep(wait + (0 if error.retry_after is None else random.uniform(0, _JITTER_SECONDS)))
        raise AssertionError("unreachable")

    def _try(self, address: str, body: Optional[bytes]) -> Json:
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": f"hsapi-client-python/{__version__}"}
        if self._key is not None:
            headers["X-Api-Key"] = self._key
        if body is not None:
            headers["Content-Type"] = "application/json"
        known = self._cache.get(address) if body is None else None
        if known is not None:
            headers["If-None-Match"] = known[0]
        status, answered, raw = self._send(Request(address, data=body, headers=headers))
        self._note_limits(answered)
        if status == 304 and known is not None:
            self._cache.move_to_end(address)
            return json.loads(json.dumps(known[1]))
        if not 200 <= status < 300:
            raise _refusal(status, raw, answered)
        answer = _envelope(status, raw)
        self._keep(address, answered.get("ETag"), body, answer)
        return answer

    def _send(self, request: Request) -> Tuple[int, Mapping[str, str], bytes]:
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
            except HTTPError as refused:
                response = refused
            with response:
                return response.code, response.headers, _body(response)
        except TimeoutError as error:
            raise self._late() from error
        except URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late() from error
            raise HsapiError("network_error", f"The server cannot be reached: {error.reason}.") from error
        except (HTTPException, OSError, EOFError, zlib.error) as error:
            raise HsapiError("network_error", f"The connection broke: {error!r}.") from error

    def _late(self) -> HsapiError:
        return HsapiError("timeout", f"No answer within {self._timeout} seconds.")

    def _keep(self, address: str, tag: Optional[str], body: Optional[bytes], answer: Json) -> None:
        if tag is None or body is not None or self._cache_max == 0:
            return
        # a copy, because callers may change the answer that they get
        self._cache[address] = (tag, json.loads(json.dumps(answer)))
        self._cache.move_to_end(address)
        while len(self._cache) > self._cache_max:
            self._cache.popitem(last=False)

    def _note_limits(self, headers: Mapping[str, str]) -> None:
        names = ("Limit-Minute", "Remaining-Minute", "Limit-Day", "Remaining-Day")
        values = [headers.get(f"X-RateLimit-{name}") for name in names]
        if all(value is not None and _FIGURE.fullmatch(value) for value in values):
            self.limits = Limits(*(int(value or 0) for value in values))


def _several(name: str, items: Iterable[Any]) -> Iterable[Any]:
    """Refuses a single text, which would be read as a list of its characters."""
    if isinstance(items, (str, bytes, Mapping)):
        raise HsapiError("invalid_parameter", f"The parameter {name} must be a list; put a single item in brackets.", details={"parameter": name})
    return items


def _known(method: str, terms: Mapping[str, Any]) -> Mapping[str, Any]:
    _refuse_unknown(terms, _OPTIONS[method])
    return terms


def _refuse_unknown(sent: Mapping[str, Any], known: Sequence[str], prefix: str = "") -> None:
    name = next((name for name in sent if name not in known), None)
    if name is None:
        return
    letters = {_letters(one): one for one in known}
    near = [letters[one] for one in difflib.get_close_matches(_letters(str(name)), letters, 1, 0.75)]
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}."
    details = {"parameter": f"{prefix}{name}", **({"did_you_mean": near[0]} if near else {})}
    raise HsapiError("invalid_parameter", f"The parameter {prefix}{name} is unknown; {hint}", details=details)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _code_path(code: str) -> str:
    return f"/api/v1/hs-codes/{quote(code, safe='')}"


def _query_text(query: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        if isinstance(value, (list, tuple)):
            return ",".join(map(str, value))
        return str(value).lower() if isinstance(value, bool) else str(value)

    given = {name: text(value) for name, value in query.items() if value is not None}
    given = {name: value for name, value in given.items() if value != ""}
    return f"?{urlencode(given)}" if given else ""


def _json_bytes(value: Any) -> bytes:
    # with escapes, Arabic text would be three times as long
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _batches(items: Iterable[Any], count_max: int, bytes_max: int) -> Iterator[List[Any]]:
    batch: List[Any] = []
    size = 0
    for item in items:
        length = len(_json_bytes(item)) + 2
        if len(batch) == count_max or (batch and size + length > bytes_max):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += length
    if batch:
        yield batch


def _searches_max(queries: Sequence[Mapping[str, Any]], include: Sequence[str]) -> int:
    if not include:
        return SEARCHES_MAX
    limits = [query.get("limit", SEARCHES_LIMIT) for query in queries]
    most = max((limit for limit in limits if isinstance(limit, int)), default=1)
    return min(SEARCHES_MAX, max(1, SEARCHES_INCLUDING_MAX // max(1, most)))


def _refused_item(item: Any, code: str, message: str) -> Json:
    return {"item": item, "error": {"code": code, "message": message}}


def _refused_place(error: HsapiError, count: int) -> Optional[int]:
    """The place of the item that the server refused, if it refused one."""
    if error.status == 413 and count == 1:
        return 0
    found = _NAMED_ITEM.match(str(error.details.get("parameter", "")))
    return int(found[2]) if found is not None and int(found[2]) < count else None


def _numbered_from_start(error: HsapiError, before: int) -> HsapiError:
    """Adds `before` to item numbers: the server counts the items of a batch, and the caller those of the whole list."""

    def renumber(text: str) -> str:
        return _NAMED_ITEM.sub(lambda found: f"{found[1]}[{int(found[2]) + before}]", text)

    details = dict(error.details)
    if isinstance(details.get("parameter"), str):
        details["parameter"] = renumber(details["parameter"])
    return HsapiError(error.code, renumber(error.message), error.status, details, error.retry_after)


def _body(response: Any) -> bytes:
    raw: bytes = response.read(ANSWER_BYTES_MAX + 1)
    # `length` is the number of bytes that have not arrived; `read` with a number raises no error for them
    missing = getattr(response, "length", None)
    if missing and len(raw) <= ANSWER_BYTES_MAX:
        raise IncompleteRead(raw, missing)
    if response.headers.get("Content-Encoding") == "gzip":
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as unpacked:
            raw = unpacked.read(ANSWER_BYTES_MAX + 1)
    if len(raw) > ANSWER_BYTES_MAX:
        raise HsapiError("unexpected_answer", f"The answer has more than {ANSWER_BYTES_MAX} bytes.")
    return raw


def _parsed(body: bytes) -> Json:
    """Returns an empty dictionary if the body is not a JSON object."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _unexpected(status: int = 200) -> HsapiError:
    return HsapiError("unexpected_answer", "The answer is not one of an hsapi server.", status)


def _envelope(status: int, body: bytes) -> Json:
    answer = _parsed(body)
    if answer.get("success") is not True or "data" not in answer or not isinstance(answer.get("meta"), dict):
        raise _unexpected(status)
    return answer


def _refusal(status: int, body: bytes, headers: Mapping[str, str]) -> HsapiError:
    retry_after = _retry_after(headers.get("Retry-After"), headers.get("Date"))
    error = _parsed(body).get("error")
    if isinstance(error, dict) and isinstance(error.get("code"), str) and isinstance(error.get("message"), str):
        details = error.get("details")
        return HsapiError(error["code"], error["message"], status, details if isinstance(details, dict) else None, retry_after)
    return HsapiError("unexpected_answer", f"The server answered {status} without an error of its own.", status, None, retry_after)


def _retry_after(text: Optional[str], date: Optional[str]) -> Optional[float]:
    """Seconds or a date, which is compared with the server's own clock if it sends one."""
    if text is None:
        return None
    if _FIGURE.fullmatch(text.strip()):
        return float(text)
    moment = _moment(text)
    if moment is None:
        return None
    return max(0.0, (moment - (_moment(date) or datetime.now(timezone.utc))).total_seconds())


def _moment(text: Optional[str]) -> Optional[datetime]:
    try:
        moment = parsedate_to_datetime(text or "")
    except (TypeError, ValueError, OverflowError):
        return None
    # without a zone it is UTC, as all HTTP dates are
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)


def _wait_seconds(error: HsapiError, attempt: int) -> Optional[float]:
    """None where a repeat cannot help."""
    if error.status not in _RETRIED and error.code != "network_error":
        return None
    if error.retry_after is not None:
        return error.retry_after
    return min(_BACKOFF_SECONDS * 2**attempt, _BACKOFF_SECONDS_MAX) * random.uniform(0.5, 1)


def _one_for_each(data: Any, sent: Sequence[Any]) -> List[Json]:
    """The answers, which are the data or its `items`."""
    items = data.get("items") if isinstance(data, dict) else data
    # a shorter list would assign answers to the wrong inputs
    if not isinstance(items, list) or len(items) != len(sent):
        raise HsapiError("unexpected_answer", f"The answer does not have {len(sent)} entries, one for each item that was sent.", 200)
    return items


def _every(ask: Callable[..., Page], terms: Mapping[str, Any]) -> Iterator[Json]:
    limit = int(terms.get("limit", PAGE_MAX))
    offset = int(terms.get("offset", 0))
    while True:
        page = ask(limit=limit, offset=offset)
        yield from page.items
        offset += len(page.items)
        if not page.items or offset >= page.total:
            return
