"""Rules on what is felt, wished and claimed."""

from __future__ import annotations

import re
from functools import lru_cache
from types import ModuleType

from memoranda.text.frames import deeds_zh, tie, tie_zh
from memoranda.text.frames.pair import CLAUSE, Pair, near, strange
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.slots import tells_event
from memoranda.text.frames.words import common, content

NOT = Lazy(r"\b(?:not|isn't|wasn't|instead of|rather than) ((?:[\w.:%-]+ ?){1,4})")
_ADVERBIAL = Lazy(r"\b(?:now|these days|any ?more|at all|again|so much|a lot)\b", re.IGNORECASE)
_FELT_BY = Lazy(
    r"^(.{2,40}?) (?:\w+ly )?(?:loves|likes|enjoys|adores|prefers|craves|hates|dislikes|loathes|detests|"
    r"despises|avoids|doesn't|does not|can't stand)\b"
)
_SELF_FEELS = Lazy(r"^(?:i|we)\b|\bi (?:love|like|enjoy|hate|prefer|can't)", re.IGNORECASE)
_HOLDER_ZH = Lazy(
    "((?:(?![了过后时])[\u4e00-\u9fff]){1,4}?)(?:也|都|就|可|最|很|太|特别|从小|一直|现在|如今|反倒|反而|突然|终于|越来越|其实|慢慢|"
    "渐渐|开始|真的|确实|不|并|一点|挺|更)*"
)
_NO_HOLDER = Lazy(
    "(?:也|都|就|可|最|很|太|特别|从小|一直|现在|如今|反倒|反而|突然|终于|其实|开始|真的|确实|彻底|已经)*"
)
_WEAKLY = Lazy("原来(?:不知道|以为|想)|其实(?:想|要|喜欢|不知道)")
_FINE = Lazy(
    r"(?:the |my |our )?((?:[\w-]+ )?[\w-]+) (?:is|was|were) (?:innocent|harmless|fine|clean|cleared)\b"
)
_THING_ZH = "[池鞋杯店馆片书包节队衣帽机袋盒靴帘糕票券裤衫圈房场曲]"
_FEELING_ZH = Lazy(
    "[^\u4e00-\u9fff]|"
    "[不无喜欢爱讨厌最烦受了的我你一点都也很太它他她们别再成是在有没碰吃喝看听用想要会能去来就"
    "跟和给多少让觉得特现挺真更多好跑]"
)


def felt_otherwise(p: Pair) -> bool:
    """One matter stands in a clause of liking, then of disliking, or the reverse."""
    likes, hates = p.lex.LIKE, p.lex.DISLIKE
    return _turned(p, hates, likes) or _turned(p, likes, hates)


def _turned(p: Pair, was: Lazy, now: Lazy) -> bool:
    olds, news = _feeling(p.old, was, now), _feeling(p.new, now, was)
    return any(
        _one_matter(old, new, (was, now)) if p.lang == "en" else _felt_alike(old, new, p.lex)
        for old in olds
        for new in news
    )


@lru_cache(maxsize=4096)
def _feeling(text: str, cue: Lazy, other: Lazy) -> tuple[str, ...]:
    """Give the clauses that hold the one cue and not the other."""
    return tuple(c for c in CLAUSE.split(text) if cue.search(c) and not other.search(c))


def _felt_alike(old: str, new: str, lex: ModuleType) -> bool:
    """A Chinese word of both, that is not part of another word in one of them: swimming, pool."""
    if not common(old, new, "zh"):
        return _one_character(old, new, lex)
    return any(
        bool(re.search(piece + _THING_ZH, old)) == bool(re.search(piece + _THING_ZH, new))
        for piece in common(old, new, "zh")
        if _felt_near(piece, new, lex)
        and not _two_feel_zh(old, new, piece, lex)
        and not (_feels(piece, old, lex) and _feels(piece, new, lex))
    )


def _feels(piece: str, clause: str, lex: ModuleType) -> bool:
    """The word stands before the cue, and something else after it: it is who feels."""
    at = clause.find(piece)
    cues = [m for cue in (lex.LIKE, lex.DISLIKE) for m in cue.finditer(clause) if m.start() > at]
    return any(len(re.sub("[了的得吧啊。!]", "", clause[m.end() :])) > 1 for m in cues)


def _two_feel_zh(old: str, new: str, piece: str, lex: ModuleType) -> bool:
    """One feels so, and another otherwise: who is not named speaks of himself."""
    a, b = _who_feels(old, piece, lex), _who_feels(new, piece, lex)
    return a != b


def _who_feels(clause: str, piece: str, lex: ModuleType) -> str:
    """Give the name straight before the cue of feeling, or nothing for the speaker."""
    spots = [m.start() for cue in (lex.LIKE, lex.DISLIKE) for m in cue.finditer(clause)]
    before = clause[: min(spots, default=0)].replace(piece, "")
    match = _HOLDER_ZH.fullmatch(before)
    if not match or re.search("[我咱自]", before) or _NO_HOLDER.fullmatch(before):
        return ""
    return match[1]


def _felt_near(piece: str, clause: str, lex: ModuleType) -> bool:
    """The word stands beside the cue of feeling."""
    at = clause.find(piece)
    spots = [m for cue in (lex.LIKE, lex.DISLIKE) for m in cue.finditer(clause)]
    return any(m.start() - at - len(piece) <= 3 and at - m.end() <= 3 for m in spots)


def _one_matter(old: str, new: str, cues: tuple[Lazy, Lazy]) -> bool:
    """The clauses agree in what is felt about, to the last word and its particulars."""
    if tie.relations(old) != tie.relations(new) or _two_feel(old, new):
        return False
    a, b = _felt(old, cues[0]), _felt(new, cues[1])
    return bool(a and b) and a[-1] == b[-1] and frozenset(b) <= frozenset(a)


def _two_feel(old: str, new: str) -> bool:
    """`The dog hates it`, `I love it`: what ends in -s is felt by whom the verb follows."""
    a, b = _FELT_BY.search(old), _FELT_BY.search(new)
    if not a or not b:
        return bool(a or b) and bool(_SELF_FEELS.search(new if a else old))
    return not frozenset(content(a[1], "en")) & frozenset(content(b[1], "en"))


def _felt(clause: str, cue: Lazy) -> tuple[str, ...]:
    """Give the content of what follows a cue of feeling, or of what stands before it."""
    spot = cue.search(clause)
    if not spot:
        return ()
    inside = re.search(r"\bi'm an? ((?:\w+ ){1,2})person", spot[0], re.IGNORECASE)
    if inside:
        return content(inside[1], "en")
    after = content(_ADVERBIAL.sub("", clause[spot.end() :]), "en")
    return after or content(clause[: spot.start()], "en")


def _one_character(old: str, new: str, lex: ModuleType) -> bool:
    """One Chinese character beside the feeling may name the matter: tea, cats, spice."""
    a, b = _beside(old, lex), _beside(new, lex)
    return bool(a and b) and (a <= b or b <= a)


def _beside(clause: str, lex: ModuleType) -> frozenset[str]:
    spots = (m for cue in (lex.LIKE, lex.DISLIKE) for m in cue.finditer(clause))
    near = "".join(clause[max(0, m.start() - 3) : m.end() + 2] for m in spots)
    return frozenset(_FEELING_ZH.sub("", near))


def restyled(p: Pair) -> bool:
    """A wish about replies is withdrawn: `answer me formally`, `no more formal answers`."""
    brief = len(p.old.split()) <= 16 and len(p.new.split()) <= 20
    if not brief or not p.lex.ORDER.search(p.old):
        return False
    words = frozenset(p.both) - frozenset(content("answer reply write response", "en"))
    if p.lang == "en" and not words:
        return False
    spoken_to = p.lang == "zh" or not tie.about(p.new) or re.search(r"\byou", p.new)
    return bool(spoken_to) and near(p, p.lex.REORDER)


def refuted(p: Pair) -> bool:
    """A claim failed its test, or its effect has another cause."""
    causes = p.lex.CAUSE.search(p.old) and p.lex.CAUSE.search(p.new)
    claim = p.lex.CLAIM.search(p.old)
    if not (causes or claim):
        return False
    both = p.both
    if not both or strange(p):
        return False
    if causes and _another_cause(p):
        return True
    if not claim:
        return False
    if not _claim_met(p):
        return False
    return bool(p.lex.REFUTED.search(p.new)) or (len(both) > 1 and _contrast(p))


def _claim_met(p: Pair) -> bool:
    """The newer shares two words with the claim, or its subject beside a plain refutation."""
    if p.lang == "zh":
        pieces = [piece for piece in p.both if deeds_zh.valid(piece, p.new)]
        met = not _WEAKLY.search(p.new) and sum(len(piece) for piece in pieces) >= 3
    else:
        both = tie.matters(p.old, frozenset(p.both))
        met = (
            len(both) >= 2 and (not tie.about(p.old) or bool(tie.about(p.old) & both))
        ) or _cleared(p)
    if met:
        return True
    if not p.lex.RETRACTED.search(p.new):
        return False
    if p.lang == "zh":
        return p.both[0] in p.old[:8]
    return _thing(p)


def _cleared(p: Pair) -> bool:
    """What the older blamed is found innocent."""
    cause = p.lex.CAUSE.split(p.old, 1)
    words = frozenset(content(cause[1], "en")) if len(cause) > 1 else frozenset()
    cleared = (frozenset(content(m[1], "en")) for m in _FINE.finditer(p.new))
    return any(name and name <= words for name in cleared)


def _thing(p: Pair) -> bool:
    """The subject of the claim is a thing: it stands after an article."""
    return tie.head(p.old) in p.both and bool(re.match(r"(?:The|My|Our|This)\b", p.old))


def _another_cause(p: Pair) -> bool:
    old, new = p.lex.CAUSE.split(p.old, 1), p.lex.CAUSE.split(p.new, 1)
    causes = frozenset(content(old[1], p.lang)), frozenset(content(new[1], p.lang))
    if p.lang == "zh":
        effect = common(old[0], p.new, p.lang) + common(old[1], new[0], p.lang)
        opens = any(tie_zh.leads(text, (e,)) for e in effect for text in (p.old, p.new))
        return opens and bool(causes[1] - causes[0])
    if not tie.about(p.old) and re.search(r"\bbecause\b", p.old):
        return False
    before, after = frozenset(content(old[0], "en")), frozenset(content(_last(new[0]), "en"))
    same = tie.about(p.old) <= after and not after - frozenset(content(p.old, "en")) - causes[0]
    return same and bool(before and after) and bool(causes[1] - causes[0])


def _last(text: str) -> str:
    """Give the last clause."""
    return CLAUSE.split(text)[-1]


def denials(text: str) -> tuple[str, ...]:
    """Give what is denied; what was done `instead of` something denies nothing."""
    done = tells_event(text)
    told = (m for m in NOT.finditer(text) if not (done and m[0][:1] in "ir"))
    return tuple(m[1] for m in told if not text[: m.start()].endswith("did "))


def _contrast(p: Pair) -> bool:
    """`Not X but Y`, where X stood in the older."""
    denied = " ".join(denials(p.new)) if p.lang == "en" else ""
    return bool(common(p.old, denied, "en"))
