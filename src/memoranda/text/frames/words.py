"""The content words of a text, and those that two texts share, in English and Chinese."""

from __future__ import annotations

from functools import lru_cache

from memoranda.text.frames.pattern import Lazy
from memoranda.text.stopwords import ENGLISH

_IDLE = ENGLISH | frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december morning afternoon evening night noon week
    weekend month year day hour minute second today number way people person
    ready support start work working plan planning sure idea step dream goal life love feel feeling
    bring amazing awesome cool fun happy excited hard important special new old big small real
    lately finally totally hope believe wait moment matter point question everyone joy picture
    read whole rest long stuff lot ever gonna euro dollar pound percent megabyte gigabyte
    kilometre mile kilo metre litre change switch move update upgrade replace longer back instead
    mr mrs ms dr set run ran call called finish finished hold held keep write send sent leave left
    put stop turn turned end begin stay happen wrong
    """.split()  # noqa: SIM905 - words read better in a row
)
_WORD = Lazy(r"[A-Za-z][\w']*(?:[-_.]\w+)*|\d+(?:[.:-]\d+)*\w*|@\S+")
_LATIN = Lazy(r"[a-z0-9_]+")
_PIECE = Lazy(r"[\u4e00-\u9fff]{2,}|[a-z0-9_]+")
_CONTRACTED = Lazy(r"(?:n't|'(?:s|ll|re|ve|d|m))$")
_NUMERIC = Lazy(r"\d+(?:[.:,-]\d+)*(?:st|nd|rd|th|[a-z]{1,2})?$")
_IDLE_ZH = Lazy(
    r"[的了是在我你他她它们这那就都也还又很太吗呢吧啊把被给跟和与到从去来说个一不没有人上下里"
    r"要能得着过做为]|用(?![户例途品法量])|现在|今天|大家|时候|一下|以后|已经|所有|什么|分钟|小时|上午|下午|晚上|早上|中午|凌晨|时间|喜欢|讨厌|特别|改成|换成|改为|改用|换回|改回|推迟|取消|周日|周末|电话|电子|自己|知道|觉得|可以|需要"
    r"|[\d点号]+|[^\u4e00-\u9fffA-Za-z0-9_]+"
)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Cut the commonest English endings; a word with digits stays whole."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending, put in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ings", ""),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(ending)] + put
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 7:
        word = word.removesuffix("ment")
    return word.rstrip("ey") if len(word) > 3 else word


_IDLE_STEMS = frozenset(stem(word) for word in _IDLE)


@lru_cache(maxsize=16384)
def content(text: str, lang: str) -> tuple[str, ...]:
    """Give the content stems (English) or content runs (Chinese) of a text, in order."""
    if lang == "zh":
        runs = _IDLE_ZH.sub(" ", text.casefold()).split()
        return tuple(run for run in runs if len(run) > 1)
    words = (_CONTRACTED.sub("", w.casefold()).strip("'") for w in _WORD.findall(text))
    return tuple(
        stem(w)
        for w in words
        if len(w) > 1 and not _NUMERIC.match(w) and w not in _IDLE and stem(w) not in _IDLE_STEMS
    )


def surface(text: str, lang: str) -> tuple[str, ...]:
    """Give the content words as written, casefolded; of Chinese runs the pairs of characters."""
    if lang == "zh":
        pairs = (run[n : n + 2] for run in content(text, lang) for n in range(len(run) - 1))
        return tuple(dict.fromkeys(pairs))
    words = (_CONTRACTED.sub("", w.casefold()).strip("'") for w in _WORD.findall(text))
    return tuple(dict.fromkeys(w for w in words if content(w, lang)))


@lru_cache(maxsize=4096)
def common(older: str, newer: str, lang: str) -> tuple[str, ...]:
    """Give the content words (or longest common strings of Chinese) that two texts share."""
    old, new = content(older, lang), content(newer, lang)
    if lang == "en":
        seen = frozenset(old)
        return tuple(dict.fromkeys(t for t in new if t in seen))
    whole = frozenset(_LATIN.findall(older.casefold())) & frozenset(
        _LATIN.findall(newer.casefold())
    )
    found = (part for run in new for piece in _commons(run, old) for part in _PIECE.findall(piece))
    return tuple(dict.fromkeys(part for part in found if not part.isascii() or part in whole))


def _commons(run: str, others: tuple[str, ...]) -> list[str]:
    found, i = [], 0
    while i < len(run) - 1:
        j = i + 2
        if not any(run[i:j] in other for other in others):
            i += 1
            continue
        while j < len(run) and any(run[i : j + 1] in other for other in others):
            j += 1
        found.append(run[i:j])
        i = j
    return found
