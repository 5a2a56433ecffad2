"""Client for an hsapi server: HS codes, bilingual search, duty estimates.

One file, standard library only, Python 3.10 and newer. Fields have the names of the HTTP API; answers are plain dictionaries.

    from hsapi_client import Client, HsapiError

    hs = Client("http://127.0.0.1:8080", key="hs_free_...")
    print(hs.lookup("851713")["description"]["en"])
"""

from __future__ import annotations

import gzip
import io
import json
import random
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

__all__ = ["Client", "HsapiError", "Limits", "Page"]
__version__ = "1.0.0"

Json = Dict[str, Any]
Value = Union[str, int, float]

RESOLVE_MAX = 1000
CLASSIFY_MAX = 100
PAGE_MAX = 50
ANSWER_BYTES_MAX = 16 * 1024 * 1024
CACHED_ANSWERS_MAX = 1000

# All requests are read-only, so a repeat only affects the count.
_RETRIED = (429, 502, 503, 504)
_BACKOFF_SECONDS = 0.2
_BACKOFF_SECONDS_MAX = 5.0
_JITTER_SECONDS = 0.25


class HsapiError(Exception):
    """A refusal of the server, or a failure on the way to it.

    `code` is one of the API's, or `network_error`, `timeout` or `unexpected_answer`; `status` is 0 without a response.
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
    """A part of a list; iterates over its items."""

    items: List[Json]
    total: int
    limit: int
    offset: int

    def __iter__(self) -> Iterator[Json]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class _NoRedirect(HTTPRedirectHandler):
    # a key must not follow a redirect
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client:
    """Methods raise an `HsapiError` if the server refuses or cannot be reached. An instance is for one thread."""

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
        """`timeout` is for one attempt, in seconds. A `Retry-After` longer than `wait_max` is raised instead of waited for.

        `cached_answers`: how many answers are kept with their ETag, so that an unchanged one is not sent again; 0 for none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
            raise ValueError(f"url must be an address such as http://127.0.0.1:8080, not {url!r}")
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
        self._opener = build_opener(_NoRedirect)
        self.limits: Optional[Limits] = None

    # -- codes

    def lookup(self, code: str, *, include: Sequence[str] = (), **terms: Value) -> Json:
        """One record by 2 to 14 digits. An unknown code is `not_found`, with `details["nearest"]` and `moved_to`."""
        return self._data(_code_path(code), {"include": ",".join(include), **terms})

    def children(self, code: str, *, include: Sequence[str] = (), **terms: Value) -> Page:
        """The codes one level below, ascending."""
        return self._page(f"{_code_path(code)}/children", {"include": ",".join(include), **terms})

    def lines(self, code: str, *, include: Sequence[str] = (), **terms: Value) -> Page:
        """The lines at or below a code, ascending: what goods are declared on."""
        return self._page(f"{_code_path(code)}/lines", {"include": ",".join(include), **terms})

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
        """What a subheading of an earlier edition is now; for 2028, what one of today becomes."""
        return self._data(f"/api/v1/editions/{quote(str(year), safe='')}/{quote(code, safe='')}")

    # -- words

    def search(self, q: str, *, include: Sequence[str] = (), **terms: Value) -> Page:
        """Records by English or Arabic words or the first digits of a code, best first."""
        return self._page("/api/v1/search", {"q": q, "include": ",".join(include), **terms})

    def every_result(self, q: str, **terms: Any) -> Iterator[Json]:
        """All results of a search; pages are fetched as needed."""
        return _every(lambda **page: self.search(q, **{**terms, **page}), terms)

    def suggest(self, q: str, **terms: Value) -> List[Json]:
        """Completions of typed text."""
        return self._data("/api/v1/suggest", {"q": q, **terms})

    def classify(self, items: Iterable[Union[str, Mapping[str, Any]]], **terms: Any) -> List[Json]:
        """Codes for product titles, any number, answers in order. Each title counts as a request."""
        sent = [{"text": item} if isinstance(item, str) else dict(item) for item in items]
        found: List[Json] = []
        for start in range(0, len(sent), CLASSIFY_MAX):
            batch = sent[start : start + CLASSIFY_MAX]
            data = self._post("/api/v1/classify", {**terms, "items": batch})
            found += _one_for_each(data["items"], batch)
        return found

    # -- checking

    def resolve(self, codes: Iterable[str], **terms: Any) -> List[Json]:
        """Codes as people write them, any number, answers in order. Each code counts as a request."""
        sent = list(codes)
        found: List[Json] = []
        for start in range(0, len(sent), RESOLVE_MAX):
            batch = sent[start : start + RESOLVE_MAX]
            data = self._post("/api/v1/resolve", {**terms, "codes": batch})
            found += _one_for_each(data, batch)
        return found

    # -- tariff

    def tariff(self, hs_code: str, value: Value, **terms: Any) -> Json:
        """Duty, optional VAT and landed cost of one CIF value; with `country` also excise and fees. Rates are indicative."""
        return self._data("/api/v1/tariff/calculate", {"hs_code": hs_code, "value": value, **terms})

    def invoice(self, items: Sequence[Mapping[str, Any]], **terms: Any) -> Json:
        """Up to 100 items with totals. An item that cannot be calculated has an `error` instead."""
        data = self._post("/api/v1/tariff/calculate", {**terms, "items": list(items)})
        _one_for_each(data["items"], items)
        return data

    # -- service

    def health(self) -> Json:
        """Whether the service is up and its dataset loaded; needs no key."""
        return self._data("/api/v1/health")

    def dataset(self) -> Json:
        """The dataset in use."""
        return self._data("/api/v1/dataset")

    def changes(self, since: Optional[str] = None, **terms: Value) -> Page:
        """What versions of the dataset changed after `since`, newest first."""
        return self._page("/api/v1/changes", {"since": since or "", **terms})

    def every_change(self, since: Optional[str] = None, **terms: Any) -> Iterator[Json]:
        """All changes; pages are fetched as needed."""
        return _every(lambda **page: self.changes(since, **{**terms, **page}), terms)

    # -- transport

    def _data(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._ask(path, query)["data"]

    def _page(self, path: str, query: Mapping[str, Any]) -> Page:
        answer = self._ask(path, query)
        meta = answer["meta"]
        return Page(answer["data"], meta["total"], meta["limit"], meta["offset"])

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        given = {name: value for name, value in body.items() if value is not None}
        return self._ask(path, body=json.dumps(given).encode())["data"]

    def _ask(self, path: str, query: Optional[Mapping[str, Any]] = None, body: Optional[bytes] = None) -> Json:
        address = self._base + path + _query_text(query or {})
        for attempt in range(self._retries + 1):
            try:
                return self._try(address, body)
            except HsapiError as error:
                wait = _wait_seconds(error, attempt)
                if wait is None or wait > self._wait_max or attempt == self._retries:
                    raise
                self._sleep(wait)
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
        try:
            with self._opener.open(Request(address, data=body, headers=headers), timeout=self._timeout) as response:
                self._note_limits(response.headers)
                answer = _envelope(response.status, _body(response))
                self._keep(address, response.headers.get("ETag"), body, answer)
                return answer
        except HTTPError as response:
            with response:
                self._note_limits(response.headers)
                if response.code == 304 and known is not None:
                    self._cache.move_to_end(address)
                    return json.loads(json.dumps(known[1]))
                raise _refusal(response.code, _body(response), response.headers) from None
        except TimeoutError as error:
            raise HsapiError("timeout", f"No answer within {self._timeout} seconds.") from error
        except URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise HsapiError("timeout", f"No answer within {self._timeout} seconds.") from error
            raise HsapiError("network_error", f"The server cannot be reached: {error.reason}.") from error
        except (HTTPException, OSError) as error:
            raise HsapiError("network_error", f"The connection broke: {error!r}.") from error

    def _keep(self, address: str, tag: Optional[str], body: Optional[bytes], answer: Json) -> None:
        if tag is None or body is not None or self._cache_max == 0:
            return
        # a copy: callers may change what they get
        self._cache[address] = (tag, json.loads(json.dumps(answer)))
        self._cache.move_to_end(address)
        while len(self._cache) > self._cache_max:
            self._cache.popitem(last=False)

    def _note_limits(self, headers: Mapping[str, str]) -> None:
        names = ("Limit-Minute", "Remaining-Minute", "Limit-Day", "Remaining-Day")
        values = [headers.get(f"X-RateLimit-{name}") for name in names]
        if all(value is not None and value.isdigit() for value in values):
            self.limits = Limits(*(int(value or 0) for value in values))


def _code_path(code: str) -> str:
    return f"/api/v1/hs-codes/{quote(code, safe='')}"


def _query_text(query: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    given = {name: text(value) for name, value in query.items() if value is not None and value != ""}
    return f"?{urlencode(given)}" if given else ""


def _body(response: Any) -> bytes:
    raw = response.read(ANSWER_BYTES_MAX + 1)
    if response.headers.get("Content-Encoding") == "gzip":
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as unpacked:
            raw = unpacked.read(ANSWER_BYTES_MAX + 1)
    if len(raw) > ANSWER_BYTES_MAX:
        raise HsapiError("unexpected_answer", f"The answer has more than {ANSWER_BYTES_MAX} bytes.")
    return raw


def _envelope(status: int, body: bytes) -> Json:
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or answer.get("success") is not True or "data" not in answer:
        raise HsapiError("unexpected_answer", "The answer is not one of an hsapi server.", status)
    return answer


def _refusal(status: int, body: bytes, headers: Mapping[str, str]) -> HsapiError:
    retry_after = _retry_after(headers.get("Retry-After"))
    try:
        error = json.loads(body)["error"]
        return HsapiError(error["code"], error["message"], status, error.get("details"), retry_after)
    except (ValueError, KeyError, TypeError):
        return HsapiError("unexpected_answer", f"The server answered {status} without an error of its own.", status, None, retry_after)


def _retry_after(text: Optional[str]) -> Optional[float]:
    """Seconds or a date."""
    if text is None:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())


def _wait_seconds(error: HsapiError, attempt: int) -> Optional[float]:
    """None where a repeat cannot help."""
    if error.status not in _RETRIED and error.code != "network_error":
        return None
    if error.retry_after is not None:
        return error.retry_after + random.uniform(0, _JITTER_SECONDS)
    return min(_BACKOFF_SECONDS * 2**attempt, _BACKOFF_SECONDS_MAX) * random.uniform(0.5, 1)


def _one_for_each(items: List[Json], sent: Sequence[Any]) -> List[Json]:
    # a shorter list would assign answers to the wrong inputs
    if not isinstance(items, list) or len(items) != len(sent):
        raise HsapiError("unexpected_answer", f"The answer does not have {len(sent)} entries, one for each that was sent.", 200)
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
