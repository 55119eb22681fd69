"""Secrets that the words before them give away: passwords, named keys and tokens, headers, links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoranda.text.secrets.formats import Span
from memoranda.text.secrets.shape import is_hex, is_name, is_random, is_uuid, mixing, stands_for_one

_NAME = re.compile(
    r"(?P<pass>pass(?:word|wd|phrase|code)s?|pwd|密\s?码|口令|暗号|パスワード|비밀번호)"
    r"|(?P<key>secrets?|tokens?|credentials?|(?:api|access|secret|private|auth|account|encryption|signing|"
    r"master|license|shared|service|client|subscription)[ _-]?keys?|apikeys?|auth"
    r"|密钥|秘钥|密匙|令牌|凭证|凭据"
    r"|授权码)"
    r"|(?P<weak>keys?|pass)(?![A-Za-z])",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"""[A-Za-z0-9_-]{0,40}+["'”’`]?\]?
    (?:\s{0,3}(?::=|=>|->|==?|:|：|＝|→)|\s{0,2}(?:是|为|就是|叫做?|改[成为]了?|换[成为]了?|设[成为]了?|用的是))
    \s{0,3}(?:[urbf]{0,2}(?:["'“‘「]{1,3}|`(?!`)))?""",
    re.VERBOSE,
)
_SAYS = re.compile(
    r"""(?:\s(?:for|of|to|at|on|from|in)\s(?:[\w'’.-]{1,24}\s){1,5}?)?
    \s?(?:is\snow|is|was|are|will\sbe|has\sbeen|(?:(?:was|is|has\sbeen)\s)?(?:changed|set|reset|updated)\sto|equals)
    [:：]?\s{1,3}["'“‘`「]?""",
    re.VERBOSE | re.IGNORECASE,
)
_BESIDE = re.compile(r"\s{1,2}[\"'“`「]?")
_VALUE = re.compile(r"[!-~]{4,200}")
_REST = re.compile(r"[A-Za-z0-9_.~+/=-]*+")
"""What a value goes on with that is longer than what is looked at."""
_QUOTED = re.compile(r"[^\n\"'”’`」 ,;)][^\n\"'”’`」]{3,200}(?=[\"'”’`」])")
_NO_NAME = re.compile(
    r"[ _-]?(?:ids?|names?|hash(?:es)?|digests?|types?|counts?|fingerprints?)\b", re.IGNORECASE
)
_STOP = re.compile(r"[\"'`,;)\]}<>&|\\]|=(?=[A-Za-z0-9\"'])")
_NEAR = 80
"""Characters after the name of a key in which a value that looks drawn by lot is taken for it."""
_RUN = re.compile(r"[A-Za-z0-9_.~+/=-]{16,200}")
_HINTS = (
    "pass", "pwd", "key", "secret", "token", "credential", "auth", "密", "口令", "暗号",
    "パスワード", "비밀번호",
    "秘钥", "令牌", "凭", "授权码",
)  # fmt: skip
_END = ".,;:?)]}>'\"`"
_WORDS = re.compile(
    r"(?:required|optional|string|none|null|true|false|undefined|password|passwd|secret|token|input|hidden|"
    r"include|enabled|disabled|invalid|missing|incorrect|wrong|forgotten|expired|changed?me?|unknown|empty|"
    r"text|omit|same-origin|bearer|basic|default|pass|pwd|[a-z_ -]*(?:password|passwd|secret)[a-z_]*)\Z",
    re.IGNORECASE,
)
_NO_PASSWORD = re.compile(
    r"(?:sha|md|base|aes|rs|hs|es|utf|rsa|ed|v|scrypt|argon|pbkdf|bcrypt|ipv|oauth)-?\d[\w-]*\Z"
    r"|\d+-?(?:[a-z]{3,}|[a-z]{3,}-[a-z]+)\Z|\d{4}-\d\d(?:-\d\d)?\Z|\d{1,2}[:.]\d\d\Z"
    r"|[\w.]+\(|[\w.]+\[|https?://|/|\w+@\w+\.\w",
    re.IGNORECASE,
)
_DATA = re.compile(r"base64,[A-Za-z0-9+/=]*+|[A-Za-z0-9+/]{120,}+")
"""Encoded data: what reads like a name in it is none."""
_BEARER = re.compile(
    r"(?<![A-Za-z])(?:bearer|basic)\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})", re.IGNORECASE
)


def named(text: str) -> Iterator[Span]:
    """Find what a name such as `password`, `api_key` or `密钥` is given as its value."""
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return
    data = [match.span() for match in _DATA.finditer(text)]
    for match in _NAME.finditer(text):
        while data and data[0][1] <= match.start():
            data.pop(0)
        if data and data[0][0] <= match.start():
            continue
        if match.lastgroup == "pass":
            found = _password(text, match.end())
        elif match.lastgroup == "key":
            found = _key(text, match.end())
        else:
            found = _weak(text, match)
        if found is not None:
            start, end, kind = found
            yield start, _whole(text, start, end), kind


def bearers(text: str) -> Iterator[Span]:
    """Find what follows `Bearer` or `Basic` in a header."""
    for match in _BEARER.finditer(text):
        if is_random(match[1]) and any(char.isdigit() for char in match[1]):
            yield *match.span(1), "authorization-header"


def passwords_of_links(text: str) -> Iterator[Span]:
    """Find the passwords in links such as `postgres://user:password@host`."""
    at = -1
    while (at := text.find("://", at + 1)) >= 0:
        place = text[at + 3 : at + 3 + 300]
        place = re.split(r"[\s/\"'<>`|，。；]", place, maxsplit=1)[0]
        login, sign, _ = place.rpartition("@")
        user, colon, password = login.partition(":")
        if sign and colon and password and not (_WORDS.match(password) or stands_for_one(password)):
            start = at + 3 + len(user) + 1
            yield start, start + len(password), "password-in-link"


def _whole(text: str, start: int, end: int) -> int:
    """Give the end of a value, which may be longer than what was looked at."""
    rest = _REST.match(text, end) if end - start >= 190 else None
    return end if rest is None else rest.end()


# --- passwords ----------------------------------------------------------------------------------


def _password(text: str, at: int) -> Span | None:
    link = _LINK.match(text, at)
    if link is not None:
        return _after(text, link, quoted=True)
    says = _SAYS.match(text, at)
    if says is not None:
        return _after(text, says, quoted=False)
    beside = _BESIDE.match(text, at)
    if beside is not None and not text[at - 1].isascii():
        return _after(text, beside, quoted=False)
    return None


def _after(text: str, link: re.Match[str], *, quoted: bool) -> Span | None:
    """Give the value after a link, if it may be a password."""
    start = link.end()
    if quoted and link[0][-1:] in "\"'“‘`「":
        inside = _QUOTED.match(text, start)
        if inside is not None and _may_be_quoted(inside[0]):
            return start, inside.end(), "password"
    value = _VALUE.match(text, start)
    if value is None:
        return None
    run = value[0].split('"')[0].split("'")[0].split("`")[0].rstrip(_END)
    return (start, start + len(run), "password") if _may_be_password(run) else None


def _may_be_quoted(value: str) -> bool:
    plain = not (_WORDS.match(value) or stands_for_one(value) or _NO_PASSWORD.match(value))
    return plain and len(value) >= 6 and not value.isspace() and value.count(" ") <= 5


def _may_be_password(run: str) -> bool:
    if len(run) < 4 or stands_for_one(run) or _WORDS.match(run) or _NO_PASSWORD.match(run):
        return False
    digits = sum(char.isdigit() for char in run)
    if digits == len(run):
        return True
    return len(run) >= 5 and (digits > 0 or sum(not char.isalnum() for char in run[:-1]) >= 2)


# --- keys and tokens ------------------------------------------------------------------------------


def _key(text: str, at: int) -> Span | None:
    """Find the value of a named key: what is assigned to it, or looks drawn by lot close behind it."""
    if _NO_NAME.match(text, at):
        return None
    link = _LINK.match(text, at) or _SAYS.match(text, at)
    if link is not None:
        run = _run(text, link.end())
        drawn = is_random(run, 12) and not is_name(run)
        if run and (drawn or (len(run) >= 24 and _is_mixed(run)) or is_uuid(run)):
            return link.end(), link.end() + len(run), "named-key"
    for near in _RUN.finditer(text, at, at + _NEAR + 200):
        if near.start() > at + _NEAR:
            break
        run = near[0].rstrip(_END)
        if (
            is_random(run, 20)
            and not is_hex(run)
            and not is_uuid(run)
            and not is_name(run)
            and not _is_path(run)
        ):
            return near.start(), near.start() + len(run), "named-key"
    return None


def _weak(text: str, name: re.Match[str]) -> Span | None:
    """Find the value of `key` or `pass`, which mean much else too: only a strong one, assigned."""
    link = _LINK.match(text, name.end())
    if link is None or text[name.start() - 1 : name.start()].isalpha():
        return None
    run = _run(text, link.end())
    if not is_random(run, 24) or is_hex(run) or is_uuid(run) or _is_path(run):
        return None
    return link.end(), link.end() + len(run), "named-key"


def _run(text: str, at: int) -> str:
    found = _VALUE.match(text, at)
    run = "" if found is None else _STOP.split(found[0], maxsplit=1)[0]
    run = run.rstrip(_END)
    no_value = stands_for_one(run) or "(" in run or "[" in run or _is_path(run)
    return "" if no_value else run


def _is_mixed(run: str) -> bool:
    return any(char.isdigit() for char in run) and any(char.isalpha() for char in run)


def _is_path(run: str) -> bool:
    """Say whether it is written like a path: words between slashes."""
    parts = run.split("/")
    return "://" in run or (len(parts) > 2 and max(mixing(part) for part in parts) < 0.25)
