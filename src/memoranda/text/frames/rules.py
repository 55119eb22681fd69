"""The rules of replacement: each reads a pair of statements, or of sentences of theirs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from memoranda.text.frames import deeds_en, deeds_zh, tie, tie_zh
from memoranda.text.frames.opinions import denials, felt_otherwise, refuted, restyled
from memoranda.text.frames.pair import CLAUSE, PART, Pair, cued, near, strange
from memoranda.text.frames.parse import Parsed, stating
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.slots import tells_event
from memoranda.text.frames.state import Frame, clause_frames, frames, moves
from memoranda.text.frames.values import changed, fresh, typed
from memoranda.text.frames.words import common, content

_THIRD = Lazy(
    r"(?:[Ss]he|[Hh]e|[Tt]hey|[Hh]is|[Hh]er|[Tt]heir)\b"
    r"|[Mm]y (?:\w+ )?(?:sister|brother|friend|colleague|cousin|mum|dad|son|daughter)\b"
    r"|(?!Home|Work|Our)[A-Z][a-z]+(?:'s)? (?:has|is|was|and|moved|got|quit|sold|started)\b"
)
_THIRD_ZH = Lazy(
    "[她他]|我(?:弟|哥|姐|妹|爸|妈|朋友|同事|爱人)|[医老律]?(?:医生|老师|经理|师傅|大夫|阿姨)|"
    "^[老小][^家区城房板大师]"
)
_SELF = Lazy(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
_SUBJECT = Lazy(r"\b(?:i|i'm|i've|we|we've|we're|my|our)\b", re.IGNORECASE)
_AT = Lazy("^(?:be|live|sit|work) (?:in|at) name$|^place$")
_ADDRESS = Lazy(r"[\w.+-]+@[\w.-]+|\+?\d[\d -]{5,}\d")
_PUT_OFF = Lazy(
    r"(?<!is )(?<!was )(?<!been )(?<!be )(?<!got )(?<!are )(?<!were )\b"
    r"(?:postponed?|cancel(?:l?ed)?|moved?|rescheduled?|pushed|delayed|shifted|changed|swapped|brought) "
    r"(?:(?:the|my|our|his|her|their|an?) )?(?!(?:to|until|by|for|from|on|in|at|and|so|because)\b)"
    r"((?:[\w'-]+ ?){1,4}?)(?= (?:to|until|by|for|from|with|on|in|and|because|at|after|"
    r"before|instead|when|this|last|next|yesterday|today|tomorrow|every)\b|[.,;]|$)"
)
_DENIED = Lazy(r"^(?:(?:the|at|on|in|for|by|from|an?|about|just|to|only|of) ?){0,2}(\d+\w*)")
_FETCHED = Lazy(r"\b(?:went|gone|go|goes|came) back to [^,.]+ (?:for|to) ")
_LISTED = Lazy(r"[^:,]{3,40}: [^,]+,")
_TIME_ZH = Lazy("(?:年|月|周)?[底初末]|明天.*|后天.*|下?周.|上午|下午|年底|月底")
_TITLE_ZH = Lazy("(?:客户)?(?:经理|医生|老师|大夫|师傅|教练|律师|主任|阿姨|护士|老板)")
_BOOKED = Lazy(r"\b(?:signed up|booked|registered|scheduled|planned|invited)\b")
_TIMES = frozenset({"clock", "weekday", "date"})


def same_frame(older: Parsed, newer: Parsed) -> bool:
    """One frame, another value: `the map is with Ann`, `the map is with Bo`."""
    return any(one_state(a, b, older.lang) for a in frames(older) for b in frames(newer))


def same_line(older: Parsed, newer: Parsed) -> bool:
    """One frame, another value, whoever says it."""
    bare = [
        [replace(f, subject=f.subject.split(": ", 1)[-1]) for f in frames(p)]
        for p in (older, newer)
    ]
    return any(one_state(a, b, older.lang) for a in bare[0] for b in bare[1])


def one_state(a: Frame, b: Frame, lang: str) -> bool:
    """Two frames are equal but for the value."""
    if (a.subject, a.attribute) != (b.subject, b.attribute):
        return False
    left, right = typed(a.value, lang), typed(b.value, lang)
    if left or right:
        return bool(changed(left, right))
    if a.attribute in ("be role", "be called value", "be named value"):
        return a.value.casefold() != b.value.casefold()
    if lang == "zh":
        kind = a.value[-1:] in "人的", b.value[-1:] in "人的"
        return kind[0] == kind[1] and a.value not in b.value and b.value not in a.value
    wa, wb = frozenset(content(a.value, lang)), frozenset(content(b.value, lang))
    return bool(wa - wb and wb - wa)


def moved(older: Parsed, newer: Parsed) -> bool:
    """What was in one place went to another: `the office is in Hull`, `... moved to York`."""
    places = [f for f in frames(older) if _AT.search(f.attribute)]
    aims = moves(newer)
    return any(
        f.subject == who and aim not in f.value and f.value not in aim
        for f in places
        for who, aim in aims
    )


def corrected(older: Parsed, newer: Parsed) -> bool:
    """The speaker takes back what was said: `typo, it is ...`, `说错了`."""
    cue = newer.lexicon.CORRECTION.search(newer.text)
    old = " ".join(stating(older.held, older))
    both = common(old, newer.text, newer.lang)
    clash = changed(typed(old, older.lang), typed(newer.text, newer.lang))
    if not both:
        return False
    firm = len(both) >= 2 or tie.head(old) in both
    if newer.lang == "en" and firm and _denies_value(old, newer.text):
        return tie.relations(old) == tie.relations(newer.text)
    if not cue or _other_matter(older, newer):
        return False
    soon = cue.start() < 25 and _days_apart(older, newer) <= 1
    if soon:
        return True
    about = newer.lang == "zh" or tie.head(old) in both or not tie.about(old)
    return bool(clash) and about


def _other_matter(older: Parsed, newer: Parsed) -> bool:
    """What the correction is about in so many words is nothing that the older is about."""
    if newer.lang == "zh":
        return _other_matter_zh(older, newer)
    if tie.relations(older.old) != tie.relations(newer.text):
        return True
    clash = fresh(typed(older.old, "en"), typed(newer.text, "en"))
    clauses = [c.strip() for s in newer.said for c in CLAUSE.split(s)]
    spoken = [c for c in clauses if tie.about(c) and not newer.lexicon.CORRECTION.search(c)]
    left = tie.named(older.old) - tie.words(newer.text)
    if not left and any(
        not tie.named(c) - tie.words(older.old) and not tie.stray(c, older.old) for c in spoken
    ):
        return False
    if spoken:
        return True
    return not clash and bool(tie.named(older.old) - tie.words(newer.text))


def _other_matter_zh(older: Parsed, newer: Parsed) -> bool:
    kin = tie_zh.relatives(tie_zh.subject(older.old)) <= tie_zh.relatives(newer.text)
    if not kin or tie_zh.named_apart(older.old, newer.text):
        return True
    clash = fresh(typed(older.old, "zh"), typed(newer.text, "zh"))
    if _days_apart(older, newer) <= 1 and clash:
        return False
    if _days_apart(older, newer) <= 1:
        return not tie_zh.covered(older.old, newer.text, last=True)
    return not tie_zh.covered(older.old, newer.text)


def _days_apart(older: Parsed, newer: Parsed) -> int:
    """Give the days between the two statements; many if a time is not known."""
    a, b = older.statement.time, newer.statement.time
    if not a or not b:
        return 9999
    return abs((date.fromisoformat(b[:10]) - date.fromisoformat(a[:10])).days)


def _denies_value(old: str, new: str) -> bool:
    """`The third floor, not the second`, where the second stood in the older."""
    given = frozenset(re.findall(r"\d+\w*", old))
    denied = frozenset(x for told in denials(new) for x in _DENIED.findall(told))
    return bool(given & denied)


def role_changed(older: Parsed, newer: Parsed) -> bool:
    """A role of the speaker's life has another holder: home, work, partner, vehicle."""
    if older.statement.who != newer.statement.who:
        return False
    olds = [s for s in stating(older.held, older) if not _others(s, older.lang)]
    news = stating(newer.said, newer)
    return any(
        was.search(old) and any(_of_self(clause, told, newer.lang) for clause in CLAUSE.split(new))
        for was, told in newer.lexicon.ROLES.values()
        for old in olds
        for new in news
    )


def _of_self(clause: str, told: Lazy, lang: str) -> bool:
    """The clause tells the change of the speaker, or names nobody."""
    cue = told.search(clause)
    if not cue or _others(clause, lang):
        return False
    if lang == "zh":
        return True
    return bool(_SUBJECT.search(clause[: cue.end()])) or cue.start() < 3


def _others(sentence: str, lang: str) -> bool:
    if lang == "zh":
        return bool(_THIRD_ZH.search(sentence))
    if tie.relations(sentence):
        return True
    return bool(_THIRD.match(sentence)) and not _SELF.search(sentence)


def departed(older: Parsed, newer: Parsed) -> bool:
    """The person to turn to has left, in a matter that both name: `Hobbs is no longer with us`."""
    lex, lang = newer.lexicon, newer.lang
    if not lex.CONTACT.search(older.old):
        return False
    both = common(older.old, newer.text, lang)
    if lang == "zh":
        if tie_zh.named_apart(older.old, newer.text):
            return False
        named = [n for n in both if not _TITLE_ZH.fullmatch(n)]
        named = [n for n in named if deeds_zh.valid(n, newer.text)]
        gone = [n for n in named if re.search(re.escape(n) + lex.DEPARTED, newer.text)]
        kin = tie_zh.relatives(older.old) & tie_zh.relatives(newer.text)
        return bool(gone) and (bool(kin) or any(not set(n) & set(m) for n in gone for m in both))
    names = [n for n in re.findall(r"\b[A-Z][a-z]+\b", older.old) if content(n, "en")]
    gone = [n for n in names if re.search(rf"\b{n}{lex.DEPARTED}", newer.text)]
    people = frozenset(content(" ".join(names), "en"))
    firms = frozenset(
        content(" ".join(re.findall(r"(?:at|of|from) ((?:[A-Z]\w+ ?)+)", older.old)), "en")
    )
    return bool(gone) and bool(frozenset(both) - (people - firms))


def new_address(older: Parsed, newer: Parsed) -> bool:
    """Another e-mail address or telephone number for the same matter."""
    lang = newer.lang
    clash = fresh(typed(older.old, lang), typed(newer.text, lang))
    if not frozenset(clash) & {"email", "phone"}:
        return False
    plain = [_ADDRESS.sub(" ", text) for text in (older.old, newer.text)]
    if not common(plain[0], plain[1], lang) or not common(older.old, newer.text, lang):
        return False
    if lang == "zh":
        return tie_zh.tied(older.old, newer.text, common(older.old, newer.text, lang), clash)
    if tie.strangers(older.old, newer.text):
        return False
    a, b = (frozenset(content(text, "en")) for text in plain)
    mine = all(re.search(r"\b(?:me|my)\b", text, re.IGNORECASE) for text in plain)
    if not (a <= b or b <= a or mine):
        return False
    names = frozenset(re.findall(r"(?<=[a-z] )[A-Z][a-z]+", older.old))
    return names <= frozenset(re.findall(r"[A-Z][a-z]+", newer.text))


def state_changed(p: Pair) -> bool:
    """The newer says that something changed, and shares subject and side with the older."""
    if not (p.lex.CHANGE.search(p.new) or p.lex.NOW.search(p.new)):
        return False
    if p.past or p.restated or not p.tied or _nothing_new(p):
        return False
    if p.lex.CHANGE.search(p.new) and _of_the_state(p):
        return True
    return bool(p.lex.NOW.search(p.new)) and bool(p.clash)


def _of_the_state(p: Pair) -> bool:
    """The change happens to what the older states."""
    if p.lang == "zh":
        return deeds_zh.changes(p.old, p.new, clash=bool(p.clash))
    return deeds_en.changes(p.old, p.new, clash=bool(p.clash))


def _nothing_new(p: Pair) -> bool:
    """`My brother moved to York` after `my brother lives in York`."""
    if p.clash or p.lex.ENDED.search(p.new):
        return False
    if p.lang == "zh":
        aim = re.search("(?:到|成|为)([\u4e00-\u9fffA-Za-z]{2,6}?)了?(?:[，,。]|$)", p.new)
        return aim is not None and aim[1] in p.old
    return frozenset(content(p.new, "en")) <= frozenset(content(p.old, "en")) and not p.switched


def ended(p: Pair) -> bool:
    """What the older tells of is named and gone: `TLS 1.0 has been switched off`."""
    if p.lang == "zh" or not cued(p.new, p.lex.ENDED) or p.past or p.lex.MULTI.search(p.new):
        return False
    if _LISTED.match(p.old):
        return False
    if not deeds_en.drops(p.old, p.new) or not near(p, p.lex.ENDED) or not _same_thing(p):
        return False
    known = frozenset(content(p.old, "en"))
    told = [c for c in PART.split(p.new) if p.lex.ENDED.search(c)]
    if not all(thing <= known for clause in told for thing in tie.objects(clause)):
        return False
    return any(_ends_it(p, match) for match in p.lex.ENDED.finditer(p.new))


def _ends_it(p: Pair, match: re.Match[str]) -> bool:
    """Passive (`was sold`), or what the verb is done to stood in the older (`gave up coffee`)."""
    before = p.new[: match.end()].rsplit(",", 1)[-1][-30:]
    passive = re.search(r"\b(?:was|were|been|being|is|are)\b", before)
    if passive and " who " not in before and not match[0].casefold().startswith("no longer"):
        return True
    clause = p.new[: match.end()].rsplit(",", 1)[-1]
    told = re.search(re.escape(match[0]) + "$", clause)
    if (
        told
        and deeds_en.active(clause, told)
        and not deeds_en.undone(p.old, p.new[match.start() :])
    ):
        return False
    after = frozenset(content(" ".join(PART.split(p.new[match.end() :])[0].split()[:4]), "en"))
    return not after or bool(after & frozenset(p.both))


def _same_thing(p: Pair) -> bool:
    """In English: all that the newer is about stood in the older, and the older's subject in it."""
    if p.lang == "zh":
        return not tie_zh.strangers(p.old, p.new) and not tie_zh.other_side(p.old, p.new)
    if tie.strangers(p.old, p.new):
        return False
    known, both = frozenset(content(p.old, "en")), tie.matters(p.old, frozenset(p.both))
    if tie.stray(p.new, p.old):
        return False
    if not tie.about(p.new) and not all(o <= known for o in tie.objects(p.new)):
        return False
    subject = tie.about(p.old)
    if subject:
        return subject <= both
    return len(both) >= 2 or bool(tie.about(p.new))


def replanned(p: Pair) -> bool:
    """A plan is cancelled, put off or set to another time."""
    called = any(cued(p.new, cue) for cue in (p.lex.CANCELLED, p.lex.POSTPONED))
    if not (called or p.lex.RESCHEDULED.search(p.new)):
        return False
    if not p.both or p.restated or (p.lang == "en" and _over(p)):
        return False
    if p.lang == "zh" and (
        "生日" in p.old or deeds_zh.deed(p.old) or _beside_whom(p) or not _told_of_plan(p)
    ):
        return False
    if not p.lex.PLANNED.search(p.old) or p.lex.CANCELLED.search(p.old) or not _same_thing(p):
        return False
    if near(p, p.lex.CANCELLED) or near(p, p.lex.POSTPONED):
        return True
    later = bool(_TIMES & frozenset(p.clash) and p.lex.RESCHEDULED.search(p.new))
    return later and (len(p.both) >= 2 or near(p, p.lex.RESCHEDULED))


def _beside_whom(p: Pair) -> bool:
    """All that is shared is with whom: `和小何的会取消了`."""
    return all(re.search(f"[和跟与同]{re.escape(piece)}", p.new) for piece in p.both)


def _told_of_plan(p: Pair) -> bool:
    """What is shared, more than a time, stands shortly before what is told of it."""
    pieces = [x for x in p.both if not _TIME_ZH.fullmatch(x) and deeds_zh.valid(x, p.new)]
    return any(deeds_zh.told(piece, p.old, p.new) for piece in pieces)


def _over(p: Pair) -> bool:
    """The older tells no plan, or one with people whom the newer leaves out."""
    known = frozenset(content(p.old, "en"))
    if any(not frozenset(content(m, "en")) <= known for m in _PUT_OFF.findall(p.new)):
        return True
    if tells_event(p.old) and not _BOOKED.search(p.old):
        return True
    return bool(tie.people(p.old) - frozenset(content(p.new, "en")))


def recounted(older: Parsed, newer: Parsed) -> bool:
    """A later clause of the newer has the older's frame: `added two, the cluster has 8 nodes`."""
    return any(one_state(a, b, older.lang) for a in frames(older) for b in clause_frames(newer))


def returned(p: Pair) -> bool:
    """The older told of a change, and the newer of the way back."""
    if not (p.lex.TURNED.search(p.old) and p.lex.RETURNED.search(p.new)) or strange(p):
        return False
    if p.lang == "zh":
        mine = "我" in p.old or "我" not in p.new
        return deeds_zh.undone(p.old, p.new) and mine and not tie_zh.other_side(p.old, p.new)
    if _FETCHED.search(p.new):
        return False
    both = tie.matters(p.old, frozenset(p.both))
    return len(both) >= 2 and bool(both - tie.about(p.old)) and not tie.person(p.old)


ON_WHOLES: dict[str, Callable[[Parsed, Parsed], bool]] = {
    "frame": same_frame,
    "count": recounted,
    "moved": moved,
    "departed": departed,
    "address": new_address,
    "correction": corrected,
    "role": role_changed,
}
"""Rules that read whole statements."""

ON_ANY: dict[str, Callable[[Pair], bool]] = {
    "preference": felt_otherwise,
    "style": restyled,
}
"""Rules on pairs of sentences, orders and small talk included."""

ON_STATES: dict[str, Callable[[Pair], bool]] = {
    "changed": state_changed,
    "ended": ended,
    "plan": replanned,
    "refuted": refuted,
    "returned": returned,
}
"""Rules on pairs of sentences that state something of one subject."""
