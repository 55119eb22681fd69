"""Numbers, times and sentences in one written form, in English and Chinese."""

from __future__ import annotations

import re
import unicodedata

from memoranda.text.frames.pattern import Lazy

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SCALE = {"hundred": 100, "thousand": 1000, "million": 1000000}
_VALUE = {word: n for n, word in enumerate(_UNITS.split())}
_VALUE.update({word: 20 + 10 * n for n, word in enumerate(_TENS.split())})
_VALUE.update({"dozen": 12})
_WORD = "|".join([*_VALUE, *_SCALE])
_NUMBER_EN = Lazy(rf"\b(?:{_WORD})(?:(?:[ -]|[ -]and[ -])(?:{_WORD}))*\b", re.IGNORECASE)
_ONE_OF = Lazy(
    r"(?<!the )(?<!this )(?<!that )(?<!each )(?<!\bno )(?<!any )(?<!new )(?<!old )one "
    r"(?!(?:is|was|has|that|who|which|with|and|day|thing|for|more|can|will|from|of|in)\b)[a-z]{3,}",
    re.IGNORECASE,
)
_THIRD_ON = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = {word: f"{n}th" for n, word in enumerate(_THIRD_ON.split(), 3)}
_ORDINALS |= {"second": "2nd", "third": "3rd"}
_ORDINAL = Lazy(
    rf"(?<=\bthe )(?:{'|'.join(_ORDINALS)})\b(?! (?:half|time|one|thing|of all))", re.IGNORECASE
)
_HALF_PAST = Lazy(r"\b(half|a? ?quarter) (past|to) (\d{1,2})\b", re.IGNORECASE)
_NUMBER_WORDS = frozenset([*_VALUE, *_SCALE, *_ORDINALS, "half", "quarter", "aquarter"])
"""A text without any of these words has no number in words."""
_THOUSANDS = Lazy(r"(?<=\d),(?=\d{3}\b)")

_DIGIT_ZH = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACE_ZH = {"十": 10, "百": 100, "千": 1000}
MEASURES_ZH = (
    "点秒分天年月周日号块元版成公小个位名人次箱件条张页层楼度岁米兆克斤吨倍核台套间行篇字票席片粒颗支只头匹辆"
    "艘架面副双对册卷门科道级期批组班瓶杯碗盒袋包本部场趟顿圈亩户家站章节集回届"
)
"""Characters that follow a number and say what is counted."""
_NUMBER_ZH = Lazy(
    r"(?<![\u4e00-\u9fff]第)[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]+"
    r"|(?<=周|期)[一二三四五六]"
    rf"|第?[一二两三四五六七八九十](?=[{MEASURES_ZH}])"
)
_SENTENCE = Lazy(
    r"(?<=[.!?])(?<!\b[MD]r\.)(?<!\bM[rs]s\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\bvs\.)(?<!e\.g\.)(?<!i\.e\.)(?<!\bNo\.)\s+|"
    r"(?<=[。！？；!?])|\n+|;\s+"
)
_ENDING = r"[.!?;。！？；\n]"
"""Without one of these inside, a text is one sentence."""


def fold(text: str) -> str:
    """Give NFKC text with plain quotes and single spaces; case is kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = text.translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0x2014: "-"})
    return re.sub(r"[ \t\r\f\v\u00a0]+", " ", text).strip()


def language(text: str) -> str:
    """Tell `zh`, `en` or `other` (Kana or Hangul stand in the text: no rules)."""
    if text.isascii():
        return "en"
    if re.search(r"[\u3040-\u30ff\uac00-\ud7af\u1100-\u11ff]", text):
        return "other"
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    return "zh" if han > len(re.findall(r"[A-Za-z]+", text)) else "en"


def sentences(text: str) -> tuple[str, ...]:
    """Cut folded text at sentence ends, line ends and semicolons."""
    if text and not re.search(_ENDING, text[:-1]):
        return (text,)
    return tuple(part.strip() for part in _SENTENCE.split(text) if part and part.strip())


def digits(text: str, lang: str) -> str:
    """Write number words as digits: `twenty-three` and `二十三` become 23."""
    if lang == "zh":
        return _NUMBER_ZH.sub(_number_zh, text)
    if _NUMBER_WORDS.isdisjoint(re.findall("[a-z]+", text.lower())):
        return _THOUSANDS.sub("", text)
    text = _THOUSANDS.sub("", _NUMBER_EN.sub(_number_en, text))
    text = _ORDINAL.sub(lambda match: _ORDINALS[match[0].lower()], text)
    return _HALF_PAST.sub(_clock, text)


def _clock(match: re.Match[str]) -> str:
    minutes = 30 if match[1].lower() == "half" else 15
    hour = int(match[3])
    return f"{hour}:{minutes:02}" if match[2].lower() == "past" else f"{hour - 1}:{60 - minutes}"


def _number_en(match: re.Match[str]) -> str:
    total = part = 0
    if match[0].lower() == "one" and not _ONE_OF.match(match.string, match.start()):
        return match[0]
    for word in re.findall(r"[a-z]+", match[0].lower()):
        if word in _SCALE:
            part = max(part, 1) * _SCALE[word]
            total, part = (total + part, 0) if word != "hundred" else (total, part)
        else:
            part += _VALUE.get(word, 0)
    return str(total + part)


def _number_zh(match: re.Match[str]) -> str:
    written = match[0]
    if written.startswith("第"):
        return "第" + _number_zh_value(written[1:])
    return _number_zh_value(written)


def _number_zh_value(written: str) -> str:
    if not re.search(r"[十百千万亿]", written):
        return "".join(str(_DIGIT_ZH[c]) for c in written)
    total = section = digit = 0
    place = 1
    for c in written:
        if c in _DIGIT_ZH:
            digit = _DIGIT_ZH[c]
        elif c in _PLACE_ZH:
            place = _PLACE_ZH[c]
            section, digit = section + (digit or 1) * place, 0
        else:
            place = 10000 if c == "万" else 100000000
            total, section, digit = (total + section + digit) * place, 0, 0
    # "四百五" is 450: a last digit straight after a place counts in tenths of it
    bare = digit and place > 10 and written[-2] in "百千万"
    return str(total + section + digit * (place // 10 if bare else 1))
