"""Whether a newer statement replaces an older one: rules that must be right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import ModuleType

from memoranda.text.frames import english
from memoranda.text.frames.parse import Parsed, parse, stating
from memoranda.text.frames.state import frames
from memoranda.text.frames.statement import RANK, Statement
from memoranda.text.frames.values import changed, fresh, typed
from memoranda.text.frames.words import common, content

_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|my|me|mine|myself)\b", re.IGNORECASE)
_THIRD = re.compile(
    r"(?:[Ss]he|[Hh]e|[Tt]hey|[Hh]is|[Hh]er|[Tt]heir|[Mm]y (?:sister|brother|friend|colleague|cousin|mum|dad|son|daughter))\b"
    r"|[A-Z][a-z]+(?:'s)? (?:has|is|was|and|moved|got|quit|sold|started)\b"
)
_CLAUSE = re.compile(r"[,，、;:]| (?:and|but|because|since) ")
_HEADED = re.compile(r"[^:,]{3,50}:(?!\d)")
_NOT = re.compile(r"\b(?:not|isn't|wasn't|instead of|rather than) ((?:\w+ ?){1,4})")
_CODE = re.compile(r"[{}\[\]=<>|\\`]|\(\)")
_PAST = re.compile(r"\b(?:was|were|went|did|had)\b")
_NOW = re.compile(r"\b(?:is|are|am|has|have|'s|'re|'m|'ve)\b")
_SIDE = r"([大小左右前后东西南北男女上下甲乙丙丁]|\d+号)"
_SELF_ZH = re.compile("我(?!们)|咱|本人")


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence of the older and one of the newer, with what they share."""

    older: Parsed
    newer: Parsed
    old: str
    new: str
    both: tuple[str, ...]
    clash: tuple[str, ...]

    @property
    def lex(self) -> ModuleType:
        """The word lists of the pair's language."""
        return self.newer.lexicon


def replaces(older: Statement, newer: Statement) -> bool:
    """Tell whether `older` is no longer current after `newer`, which was said later."""
    return decide(parse(older), parse(newer)) is not None


def decide(older: Parsed, newer: Parsed) -> str | None:
    """Name the rule by which the newer replaces the older, or None."""
    if not _permitted(older, newer) or _two_things(older, newer):
        return None
    if newer.statement.source == "assistant":
        return None
    claim = older.statement.source == "assistant"
    for name, rule in WHOLE_RULES.items():
        if claim and name != "correction":
            continue
        if rule(older, newer):
            return name
    for old in older.held:
        for new in newer.said:
            if (name := _by_sentence(older, newer, old, new)) is not None:
                return name
    return None


def _by_sentence(older: Parsed, newer: Parsed, old: str, new: str) -> str | None:
    lang = newer.lang
    values = typed(old, lang), typed(new, lang)
    pair = Pair(older, newer, old, new, common(old, new, lang), fresh(*values))
    plain = len(stating((old, new), newer)) == 2 and not _subjects_differ(older, newer)
    claim = older.statement.source == "assistant"
    for name, rule in PLAIN_RULES.items():
        if claim and name != "refuted":
            continue
        if plain and rule(pair):
            return name
    for name, rule in RULES.items():
        if not claim and rule(pair):
            return name
    return None


def search_terms(statement: Statement) -> tuple[str, ...]:
    """Give the content words by which candidates for `replaces` are searched; often none."""
    return terms_of(parse(statement))


def terms_of(parsed: Parsed) -> tuple[str, ...]:
    lex = parsed.lexicon
    if not parsed.said or not _short(parsed.whole, parsed.lang, 3):
        return ()
    text = parsed.text
    cues = (
        lex.CHANGE,
        lex.CORRECTION,
        lex.REFUTED,
        lex.CANCELLED,
        lex.RESCHEDULED,
        lex.RETURNED,
        lex.NOW,
        _NOT,
        lex.LIKE,
        lex.DISLIKE,
        lex.REORDER,
        re.compile(lex.DEPARTED),
        re.compile(r"\d"),
    )
    cues += tuple(told for _, told in lex.ROLES.values())
    if not any(cue.search(text) for cue in cues):
        return ()
    return parsed.terms[:24]


def _short(whole: tuple[str, ...], lang: str, factor: int) -> bool:
    size = sum(len(s) if lang == "zh" else 3 * len(s.split()) for s in whole)
    return len(whole) <= 1 + factor and size <= 60 * factor


def _permitted(older: Parsed, newer: Parsed) -> bool:
    a, b = older.statement, newer.statement
    if not (older.held and newer.said and older.lang == newer.lang):
        return False
    if (a.project or "").casefold() != (b.project or "").casefold() or RANK[b.source] < RANK[
        a.source
    ]:
        return False
    if _CODE.search(a.text) or _CODE.search(b.text):
        return False
    if not (_short(older.whole, older.lang, 2) and _short(newer.whole, newer.lang, 3)):
        return False
    if a.who == b.who:
        return True
    if RANK[b.source] > RANK[a.source]:
        return True
    selfish = _SELF_ZH if older.lang == "zh" else _SELF
    return bool(b.project) and not selfish.search(older.old)


def _subject(sentences: tuple[str, ...]) -> tuple[str, ...]:
    for sentence in sentences[:1]:
        match = english.STATE_VERB.search(" " + sentence)
        colon = _HEADED.match(sentence)
        head = colon[0] if colon else sentence[: max(match.start(), 0)] if match else ""
        if "," not in head and len(head.split()) <= 8:
            return content(head, "en")
    return ()


def _two_things(older: Parsed, newer: Parsed) -> bool:
    """Identifiers or names of one kind that differ: two things, not two states of one."""
    if older.lang == "zh":
        return _two_things_zh(older.old, newer.text)
    a, b = _ids(frozenset(content(older.old, "en"))), _ids(frozenset(newer.terms))
    if any(stem in a and not numbers & a[stem] for stem, numbers in b.items()):
        return True
    return _names_differ(older.old, newer.text)


def _subjects_differ(older: Parsed, newer: Parsed) -> bool:
    """`Left rear tyre` and `left front tyre`: one head, each with a word of its own."""
    if older.lang == "zh":
        return False
    all_a, all_b = frozenset(content(older.old, "en")), frozenset(newer.terms)
    if bool(_HEADED.match(older.old)) != bool(_HEADED.match(newer.text)):
        return False
    a, b = frozenset(_subject(older.held)), frozenset(_subject(newer.said))
    return bool(a & b and a - all_b and b - all_a)


def _ids(words: frozenset[str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word in sorted(words):
        match = re.fullmatch(r"([a-z]+[a-z-]*?)[-_.]?(\d+)", word)
        if match:
            found[match[1]] = found.get(match[1], frozenset()) | {match[2]}
    return found


def _names_differ(older: str, newer: str) -> bool:
    pair = re.compile(r"\b([A-Z][a-z]+) ([A-Z][a-z]+|\d{3,})\b")
    a, b = frozenset(pair.findall(older)), frozenset(pair.findall(newer))
    return any(
        (x != y) and (x[0] == y[0]) != (x[1] == y[1]) and x not in b and y not in a
        for x in a
        for y in b
        if x[0] not in ("Mr", "Mrs", "Ms", "Dr", "The", "Our", "My")
    )


def _two_things_zh(a: str, b: str) -> bool:
    codes = re.compile(r"[A-Za-z]+-?\d+")
    code_a, code_b = frozenset(codes.findall(a)), frozenset(codes.findall(b))
    if code_a and code_b and not code_a & code_b:
        return True
    for match in re.finditer(_SIDE + r"(?=([\u4e00-\u9fff]{2}))", a):
        other = re.findall(_SIDE + re.escape(match[2]), b)
        if other and match[1] not in other:
            return True
    return _one_off(a, b)


def _one_off(a: str, b: str) -> bool:
    """Two subjects of one length that differ in one character are two names."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    rest_a, rest_b = a[n + 1 :], b[n + 1 :]
    return (
        1 <= n <= 6
        and len(rest_a) > 2
        and len(rest_b) > 2
        and rest_a[:3] == rest_b[:3]
        and not a[n].isdigit()
    )


def _same_frame(older: Parsed, newer: Parsed) -> bool:
    return any(
        (a.subject, a.attribute) == (b.subject, b.attribute)
        and _other(a.value, b.value, older.lang)
        for a in frames(older)
        for b in frames(newer)
    )


def _other(a: str, b: str, lang: str) -> bool:
    left, right = typed(a, lang), typed(b, lang)
    if left and right:
        return bool(changed(left, right))
    wa, wb = frozenset(content(a, lang)), frozenset(content(b, lang))
    return bool(wa - wb and wb - wa)


def _corrected(older: Parsed, newer: Parsed) -> bool:
    cue = newer.lexicon.CORRECTION.search(newer.text)
    if not cue:
        return False
    old = " ".join(stating(older.held, older))
    both = common(old, newer.text, newer.lang)
    clash = changed(typed(old, older.lang), typed(newer.text, newer.lang))
    return len(both) >= 2 or bool(both and (clash or cue.start() < 25))


def _role(older: Parsed, newer: Parsed) -> bool:
    if older.statement.who != newer.statement.who:
        return False
    return any(
        was.search(old) and told.search(new) and not _others(new, newer.lang)
        for was, told in newer.lexicon.ROLES.values()
        for old in stating(older.held, older)
        for new in stating(newer.said, newer)
    )


def _others(sentence: str, lang: str) -> bool:
    """The sentence tells of somebody else."""
    if lang == "zh":
        return bool(re.match("[她他]|我(?:弟|哥|姐|妹|爸|妈|朋友|同事)", sentence))
    return bool(_THIRD.match(sentence)) and not _SELF.search(sentence)


def _departed(p: Pair) -> bool:
    if not p.lex.CONTACT.search(p.old):
        return False
    if p.newer.lang == "zh":
        return any(re.search(re.escape(n) + p.lex.DEPARTED, p.new) for n in p.both)
    names = re.findall(r"\b[A-Z][a-z]+\b", p.old)
    return any(re.search(rf"\b{n}{p.lex.DEPARTED}", p.new) for n in names)


def _new_address(p: Pair) -> bool:
    return bool(p.both) and ("email" in p.clash or "phone" in p.clash)


def _state_changed(p: Pair) -> bool:
    if (
        p.lex.EVENT.search(p.old)
        or _restated(p)
        or (_PAST.search(p.old) and not _NOW.search(p.old))
    ):
        return False
    if p.lex.CHANGE.search(p.new):
        return len(p.both) >= 2 or bool(p.both and p.clash)
    if not p.lex.NOW.search(p.new):
        return False
    subject = _subject((p.old,))
    return bool(p.both and p.clash) or (bool(subject) and subject == _subject((p.new,)))


def _restated(p: Pair) -> bool:
    """The newer gives a value that the older gave, and no other."""
    old, new = typed(p.old, p.newer.lang), typed(p.new, p.newer.lang)
    return not p.clash and any(old[kind] & new.get(kind, frozenset()) for kind in old)


def _plan(p: Pair) -> bool:
    if (
        not p.both
        or not p.lex.PLANNED.search(p.old)
        or p.lex.CANCELLED.search(p.old)
        or _restated(p)
    ):
        return False
    if p.lex.CANCELLED.search(p.new):
        return True
    if p.lex.POSTPONED.search(p.new):
        return True
    times = frozenset(typed(p.new, p.newer.lang)) & {"clock", "weekday", "date"}
    return bool(times and p.lex.RESCHEDULED.search(p.new))


def _counted(p: Pair) -> bool:
    if p.lex.EVENT.search(p.old):
        return False
    return any(_counted_in(p, clause) for clause in _CLAUSE.split(p.new))


def _counted_in(p: Pair, clause: str) -> bool:
    lang = p.newer.lang
    old, new = typed(p.old, lang), typed(clause, lang)
    kinds = changed(old, new)
    if p.lex.EVENT.search(clause) or not any(k.startswith(("number", "version")) for k in kinds):
        return False
    equal = sum(bool(old[kind] & new.get(kind, frozenset())) for kind in old)
    both = common(p.old, clause, lang)
    weight = sum(max(1, len(word) // 2) for word in both) if lang == "zh" else len(both)
    return weight + equal >= 2


def _preference(p: Pair) -> bool:
    likes, hates = p.lex.LIKE, p.lex.DISLIKE
    return _turned(p, hates, likes) or _turned(p, likes, hates)


def _turned(p: Pair, was: re.Pattern[str], now: re.Pattern[str]) -> bool:
    """One matter stands in a clause of one feeling, then in a clause of the other."""
    lang = p.newer.lang
    for old in _CLAUSE.split(p.old):
        if not was.search(old) or now.search(old):
            continue
        for new in _CLAUSE.split(p.new):
            if (
                now.search(new)
                and not was.search(new)
                and (common(old, new, lang) or (lang == "zh" and _single(old, new)))
            ):
                return True
    return False


def _single(old: str, new: str) -> bool:
    """One Chinese character may name the matter: tea, cats, spice."""
    runs = frozenset("".join(_bare(old))), frozenset("".join(_bare(new)))
    return bool(runs[0] & runs[1])


def _bare(text: str) -> str:
    return re.sub(
        r"[^\u4e00-\u9fff]|[不喜欢爱讨厌最烦受了的我你一点都也很太它他她们别再成是在有没碰吃喝看听用想要会能去来就跟和给多少让觉得]",
        "",
        text,
    )


def _restyled(p: Pair) -> bool:
    short = len(p.old.split()) <= 16 and len(p.new.split()) <= 20
    return short and bool(p.both and p.lex.ORDER.search(p.old) and p.lex.REORDER.search(p.new))


def _refuted(p: Pair) -> bool:
    if not p.both or not p.lex.CLAIM.search(p.old):
        return False
    return bool(p.lex.REFUTED.search(p.new)) or (len(p.both) > 1 and _contrast(p))


def _contrast(p: Pair) -> bool:
    """`Not X but Y`, where X stood in the older."""
    denied = " ".join(m[1] for m in _NOT.finditer(p.new)) if p.newer.lang == "en" else ""
    return bool(common(p.old, denied, "en"))


def _returned(p: Pair) -> bool:
    return bool(p.both) and bool(p.lex.TURNED.search(p.old) and p.lex.RETURNED.search(p.new))


WHOLE_RULES = {"frame": _same_frame, "correction": _corrected, "role": _role}
RULES = {
    "departed": _departed,
    "address": _new_address,
    "preference": _preference,
    "style": _restyled,
}
PLAIN_RULES = {
    "changed": _state_changed,
    "plan": _plan,
    "count": _counted,
    "refuted": _refuted,
    "returned": _returned,
}
