"""What is done and what is so, in Chinese: a deed beside a deed replaces nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from memoranda.text.frames import chinese
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.words import common

_CLAUSE = Lazy("[,，、;；:：。]")
_TIME = Lazy(
    "(?:每|今|昨|前|明|后|当)[天日晚早年]?(?:清晨|早上|上午|中午|下午|傍晚|晚上)?|"
    "(?:上|下|这|本|每|去年|今年)?(?:个?月|周末?|星期|礼拜)[1-7一二三四五六日末天]?|"
    "(?:去年|今年|明年)?[春夏秋冬][天季]?|清晨|早上|上午|中午|下午|傍晚|晚上|夜里|凌晨|[饭课会班]后|"
    ".*(?:之后|以后|之前|以前|时候|的时|后来)"
)
_ADVERB = Lazy(
    "(?:我们?|咱们?|你们?|他们?|她们?|它|就|也|都|又|已经?|刚刚?|现在|如今|目前|才|全部?|最终|终于|"
    "一律|统一|自动|[那这][套个边种]?|(?:上|这|本|下|去|今|昨|前|明)个?[周月天年日晚早]|最近|往|给|被|"
    "再|要|得|可以|会|用|由|能|不|了|的|事|票|预约|[\\d.]+[月号日])*"
)
_BESIDE = Lazy(
    "(?:(?<!不)用|(?<![搬换改调移迁转挪])[到去]|[从在和跟给同与向往替帮])[\u4e00-\u9fff\\d]{0,2}$"
)
_BARE = Lazy(
    "(?:换(?:了|掉|上|给)?|改了|调[整高低大小快慢]|[升降]级|提高|放宽|收紧|扩[容大]|加[长大]|减少|迁移|移交|[搬移转][来走]|"
    "替[换代]|拆[了掉走]|停[用掉了]|撤[了掉下]|关[了掉停机]|卖[了掉]|退[掉了]|辞[了掉]|启用|上线|下线|打通|"
    "开始用)$"
)
_ENDS = Lazy("[拆停撤关卖退辞换]|下线")
_AIM = Lazy("[到成为至]")
_FROM = Lazy("从|自从|上个?[月周]起|.{0,2}以后|往后|今后")
_HELD = Lazy("归|由|负责|找|管|是|用|走|按|发|交")
_ONTO = Lazy("[了掉完好]*(?:到|成|为|至|去|进|给|回|在|由)|[了掉完好过]*(?:$|[A-Za-z ])")
_AFTER = Lazy("^[了掉完好过]*(?:这|那|新的?|旧的?)?")
_STATED = "(?:是|有|为|叫|用|开|骑|养|住|租|戴|穿|走|靠|装|订|成了?)[^，。、]{0,6}"
_DEED = Lazy(
    "(?:正在|忙着|帮忙|学着|开始(?=[\u4e00-\u9fff]{2})|打算去|[^成到为除订约报定抢][了过完掉](?=[\u4e00-\u9fff\\d]{2}))|(?:完|(?<![看约订定说])好)了"
)
_ACTION = (
    "修搬拆装洗擦刷画写拍种喂卖买借停关做练看钓烤磨量挑浇晾录接找等送拿捡扫扛搭清打整检翻核排测迁更复调运换改撤退取开"
    "听读学教讲吃喝玩跑踢逛聊谈签印查帮陪带睡唱跳演煮炒切缝织剪理涂贴挂养遛挖砍锯焊抬推拉揉晒收割采摘补"
)
_WITH = Lazy(f"(?:从|用|和|跟|给|到|去|在)[\u4e00-\u9fff\\d]{{2,8}}?[{_ACTION}](?![成到为至])")
_PLACE_ENDS = (
    "房楼层室里上下旁边区市路街店馆家院校学厅库柜屉盒箱桌架东西南北心司城村镇县省州海京近面壁园"
    "厂港嘴口坡门桥站山河湖江岛湾寺庙塔前后内外汇头场摊"
)
_THERE = Lazy(
    f"(?<=[{_PLACE_ENDS}])(?!停车|洗手|写字|开发|开水|学校|学院|教室|教学|排练厅|收发|收银|接待|更衣|看台|看守|"
    "取款|运动|练功|录音|打印|修理|修车|印刷|听课|读书|理发|跳蚤|跑道|养老|养殖|采购|复印|打谷)"
    f"[{_ACTION}].{{2,}}"
)
_DOING = Lazy(
    "(?<=..)(?:清点|清理|清洗|搬运|打磨|打扫|整理|检查|检修|翻译|核对|排练|测试|部署|迁移|更换|复印|升级|调整|运送|修补|"
    "维修|安装|收拾|讨论|研究|练习|观察|记录|准备|参加|照顾|采访|培训|指导|处理|调试|布置|装修|粉刷|种植|培育|制作|加工|"
    "搭建|拍摄|录制|演奏|表演|分发|登记|招待|等候)."
)
_DROPPED = Lazy("撤[了掉]([\u4e00-\u9fff]{2,}?)(?:了|[，。]|$)")
_VERBS = "搬换改调移迁转挪"
_CANCELLED = Lazy("(?:取消|[推退撤]掉|退了|放弃|叫停)[了掉完好过]*([\u4e00-\u9fff\\d]{2,})")
_BREAK = Lazy("[的把将给前后天上下说了年月日号周期样那这个先今昨再我们家]$")
_COUNTED = Lazy("(?![到成为至回])[\u4e00-\u9fff]?[了掉完好过]*\\d")
_STOPPED = Lazy("停|戒|不再|没再|不做|暂停|取消")
_REFUNDED = Lazy("退[了掉]")
_BOOKED = Lazy("[订报约预买票]")
_WHEN = Lazy("了?[\\d周星礼明下上月今年底早晚中本国春夏秋冬]")
_NEW_ONE = Lazy("了?新的(?:[，。]|$)|.*[1一][趟次遍]")
_HURRIED = Lazy("[^，。]*才|到了(?![\\d周星礼明下上月今年底早晚中本国春夏秋冬])")
_SOME = Lazy("[\\d一两二三四五六七八九十][\u4e00-\u9fff]{2}")
_SHORTLY = 8
_MOVE = Lazy("[搬迁挪移转]")
_PLACED = Lazy(
    "住|[放设定存]在|位于|部署|在[\u4e00-\u9fff\\d]{1,4}(?:[，。上下里]|$)|[搬迁挪]|走|发|交"
)
_VALUED = Lazy(
    "是|为|用|走|按|靠|归|由|[设定]|放在|统一|默认|交|发[给到往]|叫|保留|改|换|找|管|负责"
)


@lru_cache(maxsize=8192)
def valid(piece: str, clause: str) -> bool:
    """Tell whether a shared piece names a matter: no time, no cue, no `from X`, `with X`."""
    if _TIME.fullmatch(piece) or _is_cue(piece):
        return False
    at = clause.find(piece)
    last = not re.match("[^，。、；了]", clause[at + len(piece) :])
    return at < 0 or last or not _BESIDE.search(clause[:at])


def _is_cue(piece: str) -> bool:
    cues = (chinese.CHANGE, chinese.TURNED, chinese.CANCELLED, chinese.RESCHEDULED)
    return piece in ("开始", "计划") or any(cue.fullmatch(piece) for cue in cues)


@lru_cache(maxsize=8192)
def deed(text: str) -> bool:
    """Tell whether a sentence tells what somebody does or did, not how something is."""
    return bool(_DEED.search(text))


@lru_cache(maxsize=8192)
def acting(text: str) -> bool:
    """Tell whether a sentence tells a deed, be it only by `with X`, `at X` and a verb of action."""
    return deed(text) or bool(_WITH.search(text))


def at_work(place: str) -> bool:
    """Tell whether what follows `at` is more than a place: somebody does something there."""
    return bool(_THERE.search(place) or _DOING.search(place))


@lru_cache(maxsize=8192)
def changes(old: str, new: str, *, clash: bool) -> bool:
    """Tell whether a change that the newer tells happens to what the older states."""
    old, new = old.casefold(), new.casefold()
    return any(
        _concerns(old, clause, match, clash=clash)
        for clause in _CLAUSE.split(new)
        for match in chinese.CHANGE.finditer(clause)
    )


def _concerns(old: str, clause: str, match: re.Match[str], *, clash: bool) -> bool:
    before, after = clause[: match.start()], clause[match.end() :]
    if _idle(match[0], after, clash=clash):
        return False
    bare = bool(_BARE.search(match[0]))
    if bare and not (_ONTO.match(after) or chinese.CHANGE.match(after)):
        return _undone(old, match[0], _AFTER.sub("", after))
    topic = [p for p in common(old, before, "zh") if valid(p, before) and _near(p, before, old)]
    if bare and _ENDS.search(match[0]):
        return not acting(old) and any(_stated(old, p) for p in topic)
    if _FROM.match(match[0]):
        return not acting(old) and _reassigned(old, clause, after, clash=clash)
    aimed = match[0][-1] in "成到为至去进"
    if not topic and not aimed and not deed(old):
        found = [p for p in common(old, after, "zh") if valid(p, clause)]
        topic = [p for p in found if "不" not in match[0] or after.startswith(p)]
    if topic and not (aimed or bare or clash or _of_value(match[0])):
        topic = topic if len([p for p in common(old, clause, "zh") if valid(p, clause)]) > 1 else []
    return bool(topic) and (clash or _one_side(old, match[0]))


def _idle(cue: str, after: str, *, clash: bool) -> bool:
    """Nothing takes the older's place: `replaced it by a new one`, `rose to 5`, `arrived early`."""
    if cue.endswith("前到") and not _WHEN.match(after):
        return True
    number = after[:1].isdigit() and cue[-1] in "到至" and not clash
    return (
        number
        or bool(_NEW_ONE.match(after))
        or (cue in ("交给", "转给") and bool(_SOME.search(after)))
    )


def _of_value(cue: str) -> bool:
    return any(sign in cue for sign in "不改由归用按交")


def _reassigned(old: str, clause: str, after: str, *, clash: bool) -> bool:
    """`From now on ...`: a matter stands after it, and the older gave it a value or a holder."""
    matter = any(valid(p, clause) for p in common(old, after, "zh"))
    return matter and (clash or bool(_HELD.search(old)))


def _near(piece: str, before: str, old: str) -> bool:
    """Nothing but adverbs stands between the piece and the change."""
    if piece not in before or not _whole(piece, before, old):
        return False
    return bool(_ADVERB.fullmatch(before[before.rfind(piece) + len(piece) :].replace(" ", "")))


def _whole(piece: str, before: str, old: str) -> bool:
    """The piece is no ending of another name: the `service` of another service."""
    lead = before[: before.find(piece)][-2:]
    if lead + piece in old:
        return True
    return bool(
        _ADVERB.fullmatch(lead) or not re.search("[\u4e00-\u9fff]$", lead) or _BREAK.search(lead)
    )


def _undone(old: str, cue: str, thing: str) -> bool:
    """`Sold the X`, `raised the X to ...`, where the older states an X; two of them are no X."""
    thing, aim = ([*_AIM.split(thing, 1), ""])[:2]
    thing = thing.rstrip("了的")
    if len(thing) < 2 or thing[0].isdigit() or acting(old) or not (aim or _ENDS.search(cue)):
        return False
    return _stated(old, _tail(thing, old))


def _tail(thing: str, old: str) -> str:
    """Give the longest ending of a thing's name that stands in the older, or the whole name."""
    ends = (thing[n:] for n in range(len(thing) - 1))
    return next((end for end in ends if end in old), thing)


def _stated(old: str, thing: str) -> bool:
    """The thing opens the older, or follows a verb of being, having or using."""
    at = old.find(thing)
    return 0 <= at <= 2 or bool(re.search(_STATED + re.escape(thing), old))


def _one_side(old: str, cue: str) -> bool:
    """A move is a change of place; another change is one of what was used, set or done."""
    return bool((_PLACED if _MOVE.search(cue) else _VALUED).search(old))


@lru_cache(maxsize=8192)
def undone(old: str, new: str) -> bool:
    """Tell whether what turned in the older turns back in the newer: more than who did it."""
    old, new = old.casefold(), new.casefold()
    dropped = _DROPPED.search(new)
    if dropped and not re.search(f"[成到上为用][^，。]{{0,4}}{dropped[1]}", old):
        return False
    resumed = "开始" in new and bool(_STOPPED.search(old))
    if not resumed and all(_again(new, m) for m in chinese.RETURNED.finditer(new)):
        return False
    return any(
        _turned_back(clause, match, new)
        for clause in _CLAUSE.split(old)
        for match in chinese.TURNED.finditer(clause)
    )


def _turned_back(clause: str, match: re.Match[str], new: str) -> bool:
    before, after = clause[: match.start()], clause[match.end() :]
    if _COUNTED.match(after):
        return False
    pieces = [p.rstrip(_VERBS) for p in common(clause, new, "zh")]
    pieces = [p for p in pieces if len(p) > 1 and valid(p, clause) and valid(p, new)]
    whole = bool(_ONTO.match(after))
    return any(
        p in after or (whole and _near(p, before, clause) and _beside_return(p, new, clause))
        for p in pieces
    )


def _again(text: str, match: re.Match[str]) -> bool:
    """`Began again to ...` tells of another deed."""
    return "开始" in text[match.start() : match.end() + 1] or match[0] == "又回"


def _beside_return(piece: str, new: str, old: str) -> bool:
    """The piece stands straight before the turn back, or after it: not `began again to ...`."""
    spots = [
        (clause, match)
        for clause in _CLAUSE.split(new)
        for match in chinese.RETURNED.finditer(clause)
        if not _again(clause, match)
    ]
    return any(_near(piece, c[: m.start()], old) or piece in c[m.end() :] for c, m in spots)


@lru_cache(maxsize=8192)
def told(piece: str, old: str, new: str) -> bool:
    """Tell whether a plan is dropped or put off shortly after the piece, or the piece itself is."""
    new = new.casefold()
    if _REFUNDED.search(new) and not _BOOKED.search(old):
        return False
    cues = (chinese.CANCELLED, chinese.RESCHEDULED, chinese.POSTPONED)
    return any(_told_at(piece, new, match) for cue in cues for match in cue.finditer(new))


def _told_at(piece: str, new: str, match: re.Match[str]) -> bool:
    at = new.rfind(piece, 0, match.start())
    gap = new[at + len(piece) : match.start()]
    if at < 0 or len(gap) > _SHORTLY or "。" in gap:
        return False
    if _HURRIED.match(new, match.end()) or _HURRIED.match(new, match.end() - 1):
        return False
    thing = _CANCELLED.match(new, match.start())
    return thing is None or piece in thing[1]
