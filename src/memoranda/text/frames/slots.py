"""The one place of a sentence in which a single-valued state holds its value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memoranda.text.frames import english
from memoranda.text.frames.deeds_zh import at_work
from memoranda.text.frames.english_doubt import DAY, MONTH
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.words import content

_FILL = Lazy(
    r"\b(?:now|currently|about|around|roughly|always|just|already|only|exactly|usually|"
    r"normally)\b ?",
    re.IGNORECASE,
)
_TAIL = Lazy(r", | because | since | so that | - | until further notice")
_CLOCK = r"\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?(?:am|pm|o'clock)|noon|midnight"
_TIMES = Lazy(
    rf"\b(?:(?:on |the )*(?:every |each )?{DAY}s?|{_CLOCK}|(?:on )?(?:the )?\d{{1,2}}(?:st|nd|rd|"
    rf"th)|"
    rf"\d{{4}}-\d\d-\d\d|(?:\d{{1,2}} )?{MONTH}(?: \d{{1,2}})?(?: \d{{4}})?|"
    rf"(?<=\bat )\d{{1,2}}(?= in the |$|,)|in the (?:morning|afternoon|evening)|sharp)\b",
    re.IGNORECASE,
)
_JOINED = Lazy(r"@(?:(?: (?:at|on|of|from|the))* ?@)+")
_NUMBER = Lazy(r"(?<![\w.:/-])[$€£]?\d+(?:\.\d+)*(?![\w:/]|-\d|\.\d)")
_DURATION = Lazy(r"# (?:second|minute|hour|day|week|month|year)s?\b")
_CONTACT = Lazy(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\d{3,4}-\d{4}\b|\+\d[\d ]{6,}\d")
_NAME = Lazy(r"(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}(?= |$)")
_KINDRED = Lazy(
    r"(?:[A-Z]\w+(?:ish|ese|ian|ean|can|tch)|Dutch|French|German|Greek|Swiss|Czech|Danish|I)$"
)
_HOLDER = Lazy(
    r"(?:\w+(?:er|or|ist|ian|ant|ent|man|woman|yst)|lead|contact|gp|boss|chief|chair|head|"
    r"captain|capital|name|nickname|brand|bank|host|vet|coach|nurse|chef|cook|judge|"
    r"spokesperson|sign-off|card|key|on-call)$",
    re.IGNORECASE,
)
_MANY = Lazy(
    r"(?:brother|sister|daughter|neighbour|neighbor|customer|member|client|student|supplier|"
    r"partner|competitor|parent|teacher|worker|player|speaker|user|author|singer|patient)$",
    re.IGNORECASE,
)
_ROLE = Lazy(
    r"^(?:my|our) .*?\b(?:drink|order|style|format|tone|theme|font|editor|language|breakfast|"
    r"password|passphrase|hint|nickname|address|(?:favou?rite|preferred|default) \w+)$|"
    r"^the (?:[\w-]+ ){0,2}?(?:password|passphrase)$",
    re.IGNORECASE,
)
_STATUS = Lazy(
    r"(?:(?:very|too|so|not|in|on|at|with|under|quite|really|being|a|an)\b|"
    r"(?:weak|strong|wrong|secret|safe|new|old|lost|missing|expired|late|cold|hot|ready|great|"
    r"good|bad|"
    r"slow|fast|nice|fine|over|due|there|here|\w+ed)$)",
    re.IGNORECASE,
)
_MOVABLE = Lazy(
    r"\b(?:keys?|passport|card|charger|umbrella|torch|ladder|remote|wallet|glasses|phone|laptop|"
    r"scissors|manual|receipt|tickets?|file|folder|bike|bicycle|suitcase)\b",
    re.IGNORECASE,
)
_WHERE = Lazy(
    r"(in|under|at|on|near|next to|behind|by|beside|inside|over|above|from) (?=\S)", re.IGNORECASE
)
_NOWHERE = Lazy(
    r"(?:the )?(?:way|red|lead|list|phone|air|mood|dark|end|moment|rain|road|run|move|menu|"
    r"same|making|best|worst|whole)\b"
)
_AIM = Lazy(r" to (?!the |my |our |an? )[a-z]")
_BY_DAY = Lazy(r"\b(?:bus|train|ferry|tram|coach|boat|ship|tour|film|show|flight)$", re.IGNORECASE)
_MOMENT = Lazy(
    r"\b(?:today|yesterday|tonight|this (?:morning|afternoon|evening)|last \w+|ago|so far|"
    r"at (?:noon|midnight) (?:it|the)|right now)\b",
    re.IGNORECASE,
)
_IRREGULAR = (
    "went|got|bought|met|ate|took|made|did|came|found|gave|said|told|won|lost|ran|wrote|drank|"
    "drove|flew|spoke|sent|brought|caught|spent|built|taught|heard|felt|paid|sat|slept|sang|swam|"
    "was|were|had|sold|cost|left|began|rose|fell|kept|held|stood|hid|broke|chose|threw|grew|knew|"
    "saw|shot|lent|led|fed|hit|wore|woke|rode|rang|sank|laid|dug|hung|swept|tore|drew|fought"
)
_PAST = Lazy(rf"\b(?:{_IRREGULAR}|[a-z]{{3,}}ed)\b", re.IGNORECASE)
_PRESENT = Lazy(r"\b(?:is|are|am|has|have|'s|'re|'m|'ve|do|does|will|can|must)\b", re.IGNORECASE)
_PLACES_ZH = Lazy(
    "(?:机房|楼|层|室|里|上|下|旁|边|区|市|路|街|店|馆|家|院|校|学|厅|库|柜|屉|盒|箱|桌|架|东|西|"
    "南|"
    "北|中心|公司|城|村|镇|县|省|州|海|京|楼下|附近|对面|隔壁|园|厂|港)$"
)
_HOLDER_ZH = Lazy(
    "(?:人|长|师|名字?|号码?|址|密码|经理|医生|大夫|教练|老师|主任|负责|语言|格式|风格|主题|频率|"
    "颜色|地点|时间|日期|期限|截止日|版本|品牌|编辑器|咖啡|早餐|饮料)$"
)
_NUMBER_ZH = Lazy(r"(?<![A-Za-z\d.-])\d+(?:\.\d+)*(?![\d-])")
_TIMES_ZH = Lazy(
    r"(?:每)?(?:周|星期|礼拜)[1-7一二三四五六日末天]|上午|下午|晚上|早上|中午|凌晨|傍晚|"
    r"\d{1,2}点(?:半|\d{1,2}分?|[一二三]刻|整)?|\d{1,2}:\d{2}|\d{1,2}月(?:\d{1,2}[日号]?)?|"
    r"\d{1,2}[日号]"
)
_EVENT_ZH = Lazy(
    "(?<!为)(?<!除)了(?!解)|过(?!敏|期|滤|程|去)|今天|昨天|前天|刚才|昨晚|今早|今晚|晚点|迟到"
)
_DONE_ZH = Lazy(r"了$(?<=[^改换搬调升降卖买花跑走来去]了)")
_VERB_ZH = Lazy(
    "设(?:在|为)|定(?:在|于|为)|固定在|放(?:在|到)|住在|位于|部署在|安排在|写在|存在|存到|"
    "(?<![但还就可老凡])是|叫|姓|归|由|"
    "(?<![现正存实])在"
)
_RATE_ZH = Lazy("1(?:天|个月|年|周|小时|个小时|次)")
_DURATION_ZH = Lazy("^(?:个?半|个)?(?:小时|分钟|秒钟?|天|个月|周)半?")
_BARE_ZH = Lazy("因为|由于|的$|^[一不没很太更最]|吗|呢")


@dataclass(frozen=True, slots=True)
class Slot:
    """A value with the kind of state it stands for; `subject` for Chinese only."""

    kind: str
    value: str
    subject: str = ""


@lru_cache(maxsize=4096)
def tells_event(sentence: str) -> bool:
    """Tell whether a sentence says what happened, or how it is at one moment."""
    if _MOMENT.search(sentence) or english.EVENT.search(sentence):
        return True
    first = _PAST.search(sentence)
    if not first:
        return False
    present = _PRESENT.search(sentence)
    state = english.STATE_VERB.search(" " + sentence)
    if state and re.match(
        r"(?:run|cost|set|read|work|use|count|need|pay|end|meet|sit)\b", state["verb"]
    ):
        plural = re.search(
            r"(?:\b(?:i|we|they|you)|s)$", sentence[: max(0, state.start() - 1)], re.IGNORECASE
        )
        if not plural:
            return True
    begin = min([m.start() for m in (present, state) if m], default=len(sentence))
    return first.start() < begin


def slot_en(subject: str, verb: str, value: str) -> Slot | None:
    """Find the value: a time, a number, an address, a name, a place, or who fills a role."""
    value = _TAIL.split(_FILL.sub("", value), maxsplit=1)[0].strip(" ,;:")
    group = _verb(verb)
    person = subject.casefold() in ("i", "we")
    if group == "be" and subject.casefold().endswith(" address") and "@" not in value:
        return Slot("be role", value) if _ROLE.search(subject) and _short(value) else None
    slot = _typed_slot(group, value)
    if slot and person and "@" in slot.kind and group.split()[0] not in ("start", "begin", "end"):
        return None
    if slot:
        return None if _by_day(subject, slot) else slot
    if person and not group.startswith(("live", "work", "sit")):
        return None
    return _named_slot(subject, group, value) or _place_slot(subject, group, value)


def _verb(verb: str) -> str:
    first, *rest = verb.casefold().split()
    lemma = {"is": "be", "are": "be", "'s": "be", "has": "have", "goes": "go"}.get(first)
    return " ".join([lemma or first.removesuffix("s"), *rest])


def _by_day(subject: str, slot: Slot) -> bool:
    """Ferries leave more than once a day."""
    mine = subject.casefold().startswith(("my ", "our "))
    return (
        "@" in slot.kind
        and not mine
        and bool(_BY_DAY.search(re.split(r" (?:to|from|for) ", subject)[0]))
    )


def _typed_slot(group: str, value: str) -> Slot | None:
    for pattern, sign in ((_CONTACT, "&"), (_TIMES, "@"), (_NUMBER, "#")):
        found = pattern.findall(value)
        masked = pattern.sub(sign, value)
        if not found:
            continue
        if sign == "@":
            masked = _JOINED.sub("@", masked)
            group = re.sub(r"(?: (?:at|on|in))+$", "", group)
            masked = re.sub(r"^(?:at|on|in) (?=@)", "", masked)
        if masked.count(sign) != 1 or _many_words(masked):
            return None
        masked = _DURATION.sub("#duration", masked)
        return Slot(f"{group} {_singular(masked)}".casefold(), value)
    return None


def _many_words(masked: str) -> bool:
    return len(masked.split()) > 16


def _singular(masked: str) -> str:
    words = masked.split()
    return " ".join(
        w.removesuffix("s") if before == "#" else w
        for before, w in zip(["", *words], words, strict=False)
    )


def _named_slot(subject: str, group: str, value: str) -> Slot | None:
    head = re.split(r" (?:of|for|to|in|at|from|on) ", subject)[0].split()[-1:] or [""]
    name = _NAME.match(value)
    if name and not _KINDRED.search(name[0]) and not _MANY.search(head[0]):
        to = group.rsplit(maxsplit=1)[-1] in ("with", "to", "by")
        if to or (group == "be" and _HOLDER.search(head[0])):
            return Slot(f"{group} name{value[name.end() :]}".casefold(), name[0])
    with_name = re.match(r"((?:\w{3,}(?:ed|en|wn) )?(?:with|by)) ", value)
    if with_name and group == "be" and _NAME.fullmatch(value[with_name.end() :]):
        return Slot(f"be {with_name[1]} name", value[with_name.end() :])
    if group == "be" and _ROLE.search(subject) and _short(value):
        return Slot("be role", value)
    if re.match(r"be (?:called|named|set|capped|fixed|pinned)", group) and _short(value):
        return Slot(f"{group} value", value)
    return None


def _short(value: str) -> bool:
    return len(value.split()) <= 9 and not _STATUS.match(value)


def _place_slot(subject: str, group: str, value: str) -> Slot | None:
    where = _WHERE.match(value)
    last = group.rsplit(maxsplit=1)[-1]
    if where and " " not in group:
        preposition, rest = where[1].casefold(), value[where.end() :]
    elif last in ("in", "at", "on", "to", "under", "from"):
        preposition, rest = last, value
    else:
        return None
    if (
        _NOWHERE.match(rest)
        or _AIM.search(rest)
        or len(rest.split()) > 6
        or not content(rest, "en")
    ):
        return None
    shape = (
        "name"
        if _NAME.fullmatch(rest)
        else "thing"
        if re.match(r"(?:the|my|our|a|an) |\w+ #?\d+$", rest)
        else None
    )
    if not shape:
        return None
    if shape == "thing" and group.split(maxsplit=1)[0] == "be" and _MOVABLE.search(subject):
        return Slot("be somewhere", value)
    return Slot(f"{group.split(maxsplit=1)[0]} {preposition} {shape}", rest)


def slot_zh(clause: str) -> Slot | None:
    """Find the value in a Chinese clause: a number, a time, a name or a place."""
    clause = _DONE_ZH.sub("", clause)
    if _EVENT_ZH.search(clause):
        return None
    numeric = _numeric_zh(clause)
    if numeric or _NUMBER_ZH.search(clause):
        return numeric
    match = _VERB_ZH.search(clause, 2)
    if not match or match.start() > 16:
        return None
    subject, verb, value = clause[: match.start()], match[0], clause[match.end() :]
    return None if _BARE_ZH.search(value) else _plain_slot_zh(subject, verb, value)


def _numeric_zh(clause: str) -> Slot | None:
    """One number or time, all else being equal: `日志保留14天`."""
    for pattern, sign in ((_TIMES_ZH, "@"), (_NUMBER_ZH, "#")):
        spots = [m for m in pattern.finditer(clause) if not _RATE_ZH.match(clause, m.start())]
        if not spots:
            continue
        first, last = spots[0].start(), spots[-1].end()
        between = re.sub(pattern.pattern, "", clause[first:last])
        before, after = clause[:first], clause[last:]
        if first < 3 or len(between) > 2 or _naming(before, after, sign):
            return None
        after = _DURATION_ZH.sub("时长", after) if sign == "#" else after
        return Slot(f"{sign}{between}{after}", clause[first:last] + clause[last : last + 4], before)
    return None


def _naming(before: str, after: str, sign: str) -> bool:
    """The number is a name: `第3章`, `3号窑`, `A3`; or the clause only begins with it."""
    if re.search("(?:第|[A-Za-z-]|版)$", before) or after.startswith(("的", "年")):
        return not (after.startswith("的") and re.search("[是为]", before))
    if after.startswith(("是", "有", "在", "为")):
        return True
    if sign == "#" and re.match("[号月章期班组栋线队](?!$)", after):
        return True
    return len(after) > 12


def _plain_slot_zh(subject: str, verb: str, value: str) -> Slot | None:
    short = len(value) <= 12
    task = re.match("(?:归|由)$", verb) and re.match(
        r"(.{2,6}?)(负责|维护|管|填写|审批|处理|跟进|接)$", value
    )
    if task:
        return Slot(f"{verb} {task[2]}", task[1], subject)
    if re.search("(?:是|为|叫|姓)$", verb) and short and _HOLDER_ZH.search(subject):
        return Slot(verb, value, subject)
    if re.search("[在于到]$", verb) and short and _PLACES_ZH.search(value) and not at_work(value):
        return Slot("place", value, subject)
    return None
