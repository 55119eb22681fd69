"""A double that rewords statements rightly, lets one thing drift, or adds something of its own."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from types import ModuleType

import guard_frames_en as english
import guard_frames_zh as chinese

from memoranda.text.guard import Kind, Said

SAID = date(2026, 3, 4)
_CHOICE = re.compile(r"\[([nhqs]):([^\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
DRIFTS = {"n": "negation", "h": "modality", "q": "quantifier", "s": "speaker"}
_SLOTS = {
    "n": "number", "n2": "number", "m": "unit", "money": "money", "percent": "percentage",
    "name": "name", "name2": "name", "place": "name", "date": "date", "time": "date",
    "path": "link", "version": "link", "mail": "link",
}  # fmt: skip
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = [".", ".", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_HAN = "零一二三四五六七八九"
_MEASURES = (  # short, long, Chinese
    ("km", "kilometres", "公里"), ("kg", "kilograms", "公斤"), ("cm", "centimetres", "厘米"),
    ("minutes", "minutes", "分钟"), ("hours", "hours", "小时"), ("litres", "litres", "升"),
    ("tonnes", "tonnes", "吨"), ("weeks", "weeks", "周"),
)  # fmt: skip
_CASH = (("$", "dollars", "美元"), ("€", "euros", "欧元"), ("£", "pounds", "英镑"))
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True)
class Pair:
    """What was typed from what, and what was done to it."""

    typed: str
    sources: tuple[Said, ...]
    context: tuple[str, ...]
    drift: str
    lang: str
    kind: Kind = "fact"


def words(number: int, lang: str) -> str:
    """Spell a number below a thousand."""
    if lang == "zh":
        return _han(number)
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    rest = f" and {words(number % 100, lang)}" if number % 100 else ""
    return f"{_ONES[number // 100]} hundred{rest}"


def _han(number: int) -> str:
    if number == 2:
        return "两"
    hundreds, tens, ones = number // 100, number // 10 % 10, number % 10
    text = f"{_HAN[hundreds]}百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else _HAN[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (_HAN[ones] if ones else "")


class Double:
    """A seeded source of pairs, English and Chinese by turns."""

    frames = (english.FRAMES, chinese.FRAMES)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self._turn = 0

    def _frame(self) -> tuple[str, ModuleType, str, str]:
        self._turn += 1
        lang, module = ("en", english) if self._turn % 2 else ("zh", chinese)
        source, typed = self._random.choice(module.FRAMES).split(" => ")
        return lang, module, source, typed

    def _values(self, module: ModuleType) -> dict[str, object]:
        pick = self._random
        names, places = pick.sample(module.NAMES, 4), pick.sample(module.PLACES, 4)
        things = pick.sample(module.THINGS, 2)
        return {
            "name": names[0], "name2": names[1], "other": names[2], "self": names[3],
            "place": places[0], "place2": places[1], "placex": places[2],
            "thing": things[0], "thing2": things[1], "topic": pick.choice(module.TOPICS),
            "path": pick.choice(module.PATHS), "version": pick.choice(module.VERSIONS),
            "mail": pick.choice(module.MAILS), "n": pick.randint(2, 400), "n2": pick.randint(401, 900),
            "m": (pick.randint(2, 90), pick.choice(_MEASURES)),
            "money": (pick.randint(3, 90) * 10, pick.choice(_CASH)), "percent": pick.randint(3, 95),
            "date": SAID + timedelta(days=pick.randint(-40, 60)),
            "time": (pick.randint(1, 11), pick.choice((0, 0, 30))),
        }  # fmt: skip

    def _spell(  # noqa: C901, PLR0911 - one case a slot
        self, slot: str, value: object, lang: str, *, typed: bool
    ) -> str:
        pick = self._random.random
        match slot, value:
            case "m", (int(n), (str(short), str(long), str(han))):
                if lang == "zh":
                    return f"{words(n, lang) if pick() < 0.5 else n}{han}"
                return f"{words(n, lang) if pick() < 0.3 else n} {short if typed else long}"
            case "money", (int(n), (str(sign), str(name), str(han))):
                if lang == "zh":
                    return f"{n}{han}"
                return f"{sign}{n}" if pick() < 0.5 else f"{n} {name}"
            case "percent", int(n):
                if lang == "zh":
                    return f"{n}%" if pick() < 0.5 else f"百分之{_han(n) if n != 2 else '二'}"
                return f"{n}%" if pick() < 0.5 else f"{n} percent"
            case "date", date() as day:
                return self._day(day, lang, typed=typed)
            case "time", (int(hour), int(minute)):
                return _clock(hour, minute, lang, spoken=pick() < 0.5)
            case (("n" | "n2"), int(n)):
                return words(n, lang) if pick() < 0.4 else str(n)
            case _:
                return str(value)

    def _day(self, day: date, lang: str, *, typed: bool) -> str:
        """Spell a day: as it is said, or (when typed) as the day it is."""
        away = (day - SAID).days
        if lang == "zh":
            near = {-2: "前天", -1: "昨天", 0: "今天", 1: "明天", 2: "后天"}
            if not typed and away in near:
                return near[away]
            if not typed and -10 <= away < 0:
                return f"{words(-away, lang)}天前"
            forms = [f"{day.year}年{day.month}月{day.day}日", f"{day.month}月{day.day}日"]
            return forms[0] if day.year != SAID.year else self._random.choice(forms)
        near = {-1: "yesterday", 1: "tomorrow"}
        if not typed and away in near:
            return near[away]
        if not typed and -10 <= away < -1:
            return f"{words(-away, lang)} days ago"
        month = _MONTHS[day.month - 1]
        forms = [
            f"on {day.isoformat()}",
            f"on {day.day} {month} {day.year}",
            f"on {month} {day.day}, {day.year}",
        ]
        return self._random.choice(forms)

    def _fill(self, template: str, values: dict[str, object], lang: str, *, typed: bool) -> str:
        text = _SLOT.sub(lambda m: self._spell(m[1], values[m[1]], lang, typed=typed), template)
        text = (
            text.strip()
            .replace("of on ", "of ")
            .replace("before on ", "before ")
            .replace("until on ", "until ")
        )
        return text[0].upper() + text[1:] + ("。" if lang == "zh" else ".")

    def _said(self, text: str, lang: str, module: ModuleType, speaker: str | None = None) -> Said:
        if self._random.random() < 0.3:
            lead = self._random.choice(module.LEADS)
            kept = (
                text
                if lang == "zh" or re.match(r"I\b|[A-Z]\w+ (?:said|may|is|has|lives)", text)
                else text[0].lower() + text[1:]
            )
            text = lead + kept
        return Said(text, "user", speaker, SAID.isoformat())

    def faithful(self) -> Pair:
        """Give a right rewording; of every fifth, the joint wording of two statements."""
        lang, module, source, typed = self._frame()
        values = self._values(module)
        heard = self._said(self._fill(source, values, lang, typed=False), lang, module)
        written = self._fill(_CHOICE.sub(_right, typed), values, lang, typed=True)
        return self._joined(Pair(written, (heard,), (), "none", lang), module)

    def drifted(self) -> Pair:
        """Give a rewording in which one thing is not what was said."""
        lang, module, source, typed = self._frame()
        values = self._values(module)
        right = _CHOICE.sub(_right, typed)
        slots = [slot for slot in dict.fromkeys(_SLOT.findall(right)) if slot in _SLOTS]
        choices = [match for match in _CHOICE.finditer(typed) if "|" in match[2]]
        what = self._random.choice([*choices, *slots])
        heard = self._said(self._fill(source, values, lang, typed=False), lang, module)
        if isinstance(what, str):
            drift, put = _SLOTS[what], self._changed(what, values, module, typed)
        else:
            wrong = self._random.choice(what[2].split("|")[1:])
            typed = typed[: what.start()] + wrong + typed[what.end() :]
            drift, put = DRIFTS[what[1]], values
        written = self._fill(_CHOICE.sub(_right, typed), put, lang, typed=True)
        context = (str(values["other"]), str(values["placex"]))
        return self._joined(Pair(written, (heard,), context, drift, lang), module)

    def _joined(self, pair: Pair, module: ModuleType) -> Pair:
        """Put, every fifth time, another statement behind or before, in a right wording."""
        if self._random.random() >= 0.2:
            return pair
        source, typed = self._random.choice(module.FRAMES).split(" => ")
        values = self._values(module)
        heard = self._said(self._fill(source, values, pair.lang, typed=False), pair.lang, module)
        also = self._fill(_CHOICE.sub(_right, typed), values, pair.lang, typed=True)
        texts = [pair.typed, also]
        self._random.shuffle(texts)
        return replace(pair, typed=" ".join(texts), sources=(*pair.sources, heard), kind="merged")

    def _changed(
        self, what: str, values: dict[str, object], module: ModuleType, typed: str
    ) -> dict[str, object]:
        """Change the value of a slot, or let two names change places."""
        twin = f"{what}2"
        if what in {"name", "place"} and f"{{{twin}}}" in typed and self._random.random() < 0.4:
            return {**values, what: values[twin], twin: values[what]}
        return {**values, what: self._other(what, values, module)}

    def _other(  # noqa: PLR0911 - one case a slot
        self, slot: str, values: dict[str, object], module: ModuleType
    ) -> object:
        pick, value = self._random, values[slot]
        match slot, value:
            case (("n" | "n2" | "percent"), int(n)):
                return n + pick.choice((-1, 1, 10, 7))
            case (("m" | "money"), (int(n), tuple() as unit)):
                table = _MEASURES if slot == "m" else _CASH
                if pick.random() < 0.5:
                    return n, pick.choice([other for other in table if other != unit])
                return n + pick.choice((1, 10, 5)), unit
            case "date", date() as day:
                return day + timedelta(days=pick.choice((-7, -1, 1, 30, 365)))
            case "time", (int(hour), int(minute)):
                return hour % 11 + 1, minute
            case (("name" | "name2"), _):
                return values["other"]
            case "place", _:
                return values["placex"]
            case _:
                table = {"path": module.PATHS, "version": module.VERSIONS, "mail": module.MAILS}[
                    slot
                ]
                return pick.choice([other for other in table if other != value])

    def invented(self) -> Pair:
        """Give a right rewording with something that nobody said."""
        lang, module, source, typed = self._frame()
        values = self._values(module)
        heard = self._said(self._fill(source, values, lang, typed=False), lang, module)
        written = self._fill(_CHOICE.sub(_right, typed), values, lang, typed=True)[:-1]
        pick = self._random
        extra = pick.choice(module.INVENTIONS).format(
            other=values["other"], placex=values["placex"], n=pick.randint(901, 999), url="https://fen.example/x",
            day="2019-07-21", cash="77000 euros" if lang == "en" else "77000欧元",
        )  # fmt: skip
        gap, end = (" ", ".") if lang == "en" else ("", "。")
        context = (str(values["other"]),) if pick.random() < 0.5 else ()
        return self._joined(
            Pair(written + gap + extra + end, (heard,), context, "invention", lang), module
        )


def _right(match: re.Match[str]) -> str:
    return match[2].split("|")[0]


def _clock(hour: int, minute: int, lang: str, *, spoken: bool) -> str:
    if lang == "zh":
        half = "半" if minute else ""
        return f"下午{words(hour, lang)}点{half}" if spoken else f"{hour + 12}:{minute:02}"
    if spoken:
        return f"{hour}:{minute:02} pm" if minute else f"{hour} pm"
    return f"{hour + 12}:{minute:02}"
