"""What is compared as it is written: URLs, paths, addresses, versions, code, quoted terms."""

from __future__ import annotations

import re

from memoranda.text.guard.clauses import Canvas, Token, TokenKind

_QUOTED = 40
"""A quotation of more characters is read as text."""
_TEXT = r"[^\s\x01\x02<>\"'，。]"
_LAST = r"[^\s\x01\x02<>\"'，。.,;:!?)\]]"
_NO_DATE = r"(?!(?:19|20)\d\d[.-]\d\d?(?:[.-]\d\d?)?(?![\w.-]*\d)|\d\d?[.-]\d\d?[.-](?:19|20)\d\d)"
_EDGE, _END = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_MIXED = r"(?=[A-Za-z0-9-]{1,40}?\d)[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_LINKS = (
    r"`(?P<inside>[^`\n\x01\x02]+)`",
    rf"(?:https?|ftp|file|ssh|git)://{_TEXT}*{_LAST}",
    rf"\bwww\.[\w.-]+{_LAST}",
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,64}(?:\.[A-Za-z0-9-]{1,64}){1,8}",
    r"(?<!\w)[@#][A-Za-z_][\w-]*",
    r"\b[A-Za-z]:\\[\w.\\-]*\w",
    r"(?:~|\.{1,2})?(?<![\w<])/[\w.-]+(?:/[\w.-]*)*(?<![.,])",
    r"(?<![\w/])[\w-]+(?:/[\w.-]+)*/[\w-]+\.[A-Za-z]\w*",
    rf"(?<![\w.]){_NO_DATE}v?\d+(?:\.\d+){{2,}}[\w-]*",
    r"(?<![\w.])v\d+(?:\.\d+)*[\w-]*",
    rf"(?<![\w.-]){_NO_DATE}\+?\d{{2,}}(?:-\d{{2,}}){{1,4}}(?![\w-])",
    rf"{_EDGE}(?<!\.)[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::)[A-Za-z0-9_]+)+{_END}",
    rf"{_EDGE}(?=[A-Za-z0-9]{0, 60}_)[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*{_END}",
    rf"{_EDGE}{_MIXED}{_END}",
    rf"{_EDGE}(?:[a-z]+[A-Z][A-Za-z0-9_]*|[A-Z][a-z]+[A-Z][A-Za-z0-9_]*){_END}",
)
"""Code, URLs, addresses, handles, paths, versions, numbers with hyphens, dotted and other names."""
_QUOTES = (
    rf"[「『《“](?P<inside>[^」』》”\x01\x02]{{1,{_QUOTED}}})[」』》”]",
    rf"(?<![\w\"])\"(?P<inside>[^\"\n\x01\x02]{{1,{_QUOTED}}})\"(?!\w)",
)
_FORMS: tuple[tuple[TokenKind, re.Pattern[str]], ...] = (
    *(("link", re.compile(form)) for form in _LINKS),
    *(("name", re.compile(form)) for form in _QUOTES),
)


def links(canvas: Canvas) -> None:
    """Take what must be kept to the letter; a quoted term without its quotes is still the same."""
    for kind, pattern in _FORMS:
        for match in list(pattern.finditer(canvas.left)):
            written = match.groupdict().get("inside") or match[0]
            key = written.strip().casefold() if kind == "name" else written.strip()
            if key and (kind == "name" or not _spoken(key)):
                canvas.take(Token(kind, key, match[0], match.start(), match.end()))


def _spoken(written: str) -> bool:
    """Tell whether joined letters are words: `well-known`, `e.g`, `and:or`."""
    return bool(
        re.fullmatch(r"[A-Za-z]+(?:[-:]+[A-Za-z]+)*|[A-Za-z](?:\.[A-Za-z])*", written)
    ) and (not re.search(r"[a-z][A-Z]", written))
