"""Secrets that nothing names: long runs of characters drawn by lot, and numbers of payment cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoranda.text.secrets.formats import Span
from memoranda.text.secrets.shape import is_hex, is_name, is_random, is_uuid, pieces

_RUN = re.compile(r"(?<![A-Za-z0-9_.~=+/@&?%#-])(?<!\w:)[A-Za-z0-9_.~=+-]{20,}+(?![/@])")
LONGEST = 400
"""A longer run is data, not a key."""
SHORTEST_BARE = 30
_FILE = re.compile(r"\.(?!pt\b)[A-Za-z]{1,4}[A-Za-z0-9]?\Z")
_NO_SECRET = re.compile(
    r"(?:sha\d*|md5|crc\d*|blake\d\w?|commit|rev|ref|build|container|image|img|pic|photo|screenshot|scan|file|"
    r"blob|tree|hash|digest|etag|id|ids|uid|uuid|guid|user|order|ord|req|request|trace|span|run|job|msg|message|"
    r"event|evt|node|object|obj|cache|version|release|tag|index|main|chunk|bundle|app|style|vendor|web|api|pod|"
    r"deploy|deployment|svc|service|session|device|account|acct|customer|cus|cust|invoice|inv|item|sku|track|"
    r"tracking|doc|page|post|video|audio|backup|dump|db|data|test|layer|snapshot|task|thread|branch|patch|node|"
    r"urn|isbn|issn|doi|arxiv|e|x|p|q|d|plan|part|section|chapter|figure|table|v\d+|\d+)\Z",
    re.IGNORECASE,
)
_COIN = re.compile(r"(?:bc1[a-z0-9]{25,62}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|Qm[1-9A-HJ-NP-Za-km-z]{44}"
    r"|baf[a-z2-7]{50,}"
                   r"|PL[\w-]{32}|AAAA[BCE]3[A-Za-z0-9+/=]+)\Z")  # fmt: skip

_CARD = re.compile(
    r"(?<![A-Za-z0-9_.,:/+-])[2-6]\d{3}(?:([ -]?)\d{4}\1\d{4}\1\d{4}|([ -]?)\d{6}\2\d{5})"
    r"(?![A-Za-z0-9_]|[-.,:/]\d)"
)
_OTHER = re.compile(
    r"(?:orders?|tracking|invoice|reference|ref|number|no|imei|isbn|serial|id|case|ticket|parcel|shipment|sku|nr)"
    r"[.:#= \"']{0,4}\Z|(?:单|编|序列|工|流水|运单|快递|订单|发票|案件|身份证|账)号?[码：: 是]{0,4}\Z",
    re.IGNORECASE,
)
_HEADS = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12}|35\d{14}"
)


def runs(text: str) -> Iterator[Span]:
    """Find long runs that look drawn by lot, and are no hash, UUID, file, address or picture."""
    for match in _RUN.finditer(text):
        run = match[0].rstrip(".=+-~")
        data = text.endswith("base64,", 0, match.start())
        if 20 <= len(run) <= LONGEST and not data and _is_secret(run):
            yield match.start(), match.start() + len(run), "random-token"


def _is_secret(run: str) -> bool:
    if is_uuid(run) or is_hex(run) or _FILE.search(run) or _COIN.match(run) or run.count("=") > 1:
        return False
    found = pieces(run)
    if not found:
        return False
    head = found[0]
    if len(head) >= 32 and is_hex(head):
        return False
    if len(found) > 1 and (_NO_SECRET.match(head) or _NO_SECRET.match(head.rstrip("0123456789"))):
        return False
    if len(found) > 1 and len(head) <= 10 and not is_random(head, 8):
        tail = run[len(head) + 1 :]
        return is_random(tail, 20) and len(max(found[1:], key=len)) >= 16 and not is_name(tail)
    return is_random(run, SHORTEST_BARE) and len(max(found, key=len)) >= 16 and _digits(run) >= 3


def _digits(run: str) -> int:
    return sum(char.isdigit() for char in run)


def cards(text: str) -> Iterator[Span]:
    """Find numbers of payment cards: a known beginning, a right check digit, no other name before."""
    for match in _CARD.finditer(text):
        number = "".join(char for char in match[0] if char.isdigit())
        before = text[max(0, match.start() - 24) : match.start()]
        if _HEADS.fullmatch(number) and _checks(number) and not _OTHER.search(before):
            yield *match.span(), "payment-card"


def _checks(number: str) -> bool:
    total = 0
    for place, char in enumerate(reversed(number)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
