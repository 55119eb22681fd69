"""False replacements: a deed beside a deed, a use beside a use, and what must still replace."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.frames import Statement, keys, replaces, search_terms


def said(text: str, *, project: str | None = None) -> Statement:
    return Statement(text=text, speaker="Ada", project=project)


BOTH_HOLD = [
    # a place, then what was done there
    ("厨师周末在庙前清点新木箱。", "厨师周末在庙前搬运石板路。"),
    ("老周在庙前修路。", "老周在村口修渠。"),
    ("她雨停之后在阳台排练。", "她雨停之后在北门换掉电表箱。"),
    ("张老师在陆家嘴测试订单库。", "张老师搬到顶楼住了。"),
    ("The cook is at the river to check the beans.", "The cook is at the river to make soup."),
    # one deed, then another
    ("合唱团从九号码头换掉锅炉阀门。", "合唱团用自行车链条换掉锅炉阀门。"),
    ("爸爸清晨去庙前调整座位表。", "王医生饭后在车库调整了座位表。"),
    ("楼下的裁缝用旧毛巾装旧书架。", "楼下的裁缝每天傍晚在厨房拆了旧书架。"),
    ("伊内斯清晨把保险单复印了。", "伊内斯清晨卖掉了一百张唱片。"),
    ("我表哥说：“我周末在顶楼量地基。”", "我表哥上周三把楼道打扫了。"),
    ("孩子们给李姐迁移了库存表。", "孩子们周末在医院撤了借书卡。"),
    ("Ines has sorted the flag.", "Ines raised the flag at noon."),
    ("We are busy with the payroll service.", "The payroll service moved to another rack."),
    ("I am busy with the library cards.", "The band replaced the library cards."),
    ("Omar caught two trout at the pier.", "Omar bought bread instead of two trout."),
    # a plan, then a deed
    ("木匠明天去顶楼修水泵。", "木匠明天要去老城区升级门禁系统。"),
    ("合唱团后天下午三点去工业园补渔网。", "伊内斯上周三把渔网退了。"),
    ("The plumber will check the fuse box on Friday.", "The plumber checked the roof instead."),
    ("The choir is going to return the parcel.", "The choir cancelled the subscription at noon."),
    # a possession, then a deed of its owner
    ("邻居老吴有三张唱片。", "邻居老吴从厨房撤掉展台。"),
    ("邻居老吴有三把雨伞。", "邻居老吴搬到海边住了。"),
    ("I have a guest room.", "We moved the guest room to the ground floor."),
    ("I have a spare tent.", "I sold two tents."),
    ("Shopping list: lamp, cat food, soap.", "The lamp was sold."),
    # what is shared is a time, a cue, a place, or the end of another name
    ("合唱团雨停之后在仓库搬了箱子。", "合唱团雨停之后卖掉了八斤虾。"),
    ("体检周五五点开始。", "园丁开始取消订阅。"),
    ("孩子们去九号码头检查梯子。", "孩子们取消完了订阅。"),
    ("学校门口有一百顶帽子。", "阿杰搬到学校门口住了。"),
    ("推送服务的负责人是阿杰。", "支付服务由阿杰负责。"),
    ("推送服务升级到九点零版了。", "厨师从医院撤掉支付服务。"),
    (
        "The night shift will clean the hall.",
        "The night shift started to paint the hall last week.",
    ),
    # somebody begins something else again
    ("小林开始翻译合同。", "小林又开始练毛笔字了。"),
    ("爸爸三月五号更换了合同。", "爸爸又开始整理借书卡了。"),
    ("小林搬到工业园住了。", "小林又开始核对库存表了。"),
    # each feels something of his own
    ("伊内斯讨厌爵士乐。", "伊内斯喜欢榴莲。"),
    ("伊内斯喜欢逛书店。", "伊内斯不爱长跑。"),
    ("小林讨厌爵士乐。", "我喜欢爵士乐。"),
    ("The dog hates the vacuum cleaner.", "I love my vacuum cleaner."),
    # two reasons
    ("周末我常去老城区，因为喜欢豆浆。", "王医生说：“我去年秋天在老城区翻译合同。”"),
    ("I go to Hull because I enjoy camping.", "I go to Hull because I enjoy swimming."),
    # the name of a title, not of a contact
    ("Dr. Lee painted the boiler room.", "Dr. Lee changed jobs and has a boiler room now."),
    ("王医生和客户在三楼关水闸。", "妈妈给王医生关了水闸。"),
    # no longer this, which was never said
    ("The interns hang the locks after work.", "The interns no longer hang the sheets."),
    ("The interns fix the heater on Fridays.", "The interns no longer paint the heater."),
    ("Ines no longer paints the ladder.", "Ines no longer paints the boiler."),
]

REPLACED = [
    ("药放在书房抽屉里。", "药放在厨房柜子里。"),
    ("打包用 Jenkins。", "打包改用脚本了，Jenkins 停了。"),
    ("锅炉用的是铜阀门。", "锅炉的铜阀门换掉了。"),
    ("报表由小林负责。", "从下周起报表由阿杰负责。"),
    ("例会十点开始。", "以后例会十一点开始。"),
    ("小林讨厌爵士乐。", "小林现在喜欢爵士乐。"),
    ("我不喜欢喝豆浆。", "年纪大了反倒爱喝豆浆了。"),
    ("我们把排班表换成了电子的。", "排班表又换回纸质的了。"),
    ("体检定在九号上午。", "体检推迟到十二号。"),
    ("We own a canoe.", "The canoe was sold."),
    ("The upload limit is 20 files.", "We raised the upload limit to 50 files."),
    ("Omar feeds the ducks on Fridays.", "Omar no longer feeds the ducks on Fridays."),
    ("Omar hates olives.", "Omar loves olives now."),
    (
        "The draught comes from the chimney.",
        "We looked again, the draught comes from the old door.",
    ),
]

EVENTS_ZH = [
    f"{who}{when}在{where}{what}。"
    for who, when in (("厨师", "周末"), ("合唱团", ""), ("老周", "下班以后"))
    for where in ("庙前", "三楼会议室", "苏州")
    for what in ("清点新木箱", "搬运石板路", "换掉门锁", "修书柜", "拆了旧货架")
]
EVENTS_EN = [
    f"{who} {what} at {where}."
    for who in ("The choir", "Omar", "My sister")
    for where in ("the mill", "the north gate", "room 12")
    for what in ("counted the crates", "replaced the locks", "moved the piano", "sold lemons")
]


@pytest.mark.parametrize(("older", "newer"), BOTH_HOLD)
def test_what_may_both_be_so_is_kept(older: str, newer: str) -> None:
    assert not replaces(said(older), said(newer))


@pytest.mark.parametrize(("older", "newer"), BOTH_HOLD)
def test_a_project_makes_no_false_replacement(older: str, newer: str) -> None:
    assert not replaces(said(older, project="ferro"), said(newer, project="ferro"))


@pytest.mark.parametrize(("older", "newer"), REPLACED)
def test_a_change_of_the_same_state_still_replaces(older: str, newer: str) -> None:
    assert replaces(said(older), said(newer))
    assert frozenset(keys(said(older))) & frozenset(keys(said(newer))) or search_terms(said(newer))


@pytest.mark.parametrize("events", [EVENTS_ZH, EVENTS_EN], ids=["zh", "en"])
def test_no_event_replaces_another_one(events: list[str]) -> None:
    pairs = permutations([said(event) for event in events], 2)
    assert [(a.text, b.text) for a, b in pairs if replaces(a, b)] == []


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from("厨师 合唱团 老周 邻居老吴 我表哥".split()),  # noqa: SIM905
    st.lists(st.sampled_from("庙前 河边 车库 图书馆 二号机房".split()), min_size=2, max_size=2),  # noqa: SIM905
    st.lists(
        st.sampled_from("修水泵 换掉锅炉阀门 调整座位表 升级门禁系统 撤展台 喂流浪猫".split()),  # noqa: SIM905
        min_size=2,
        max_size=2,
    ),
)
def test_deeds_of_one_person_coexist(who: str, where: list[str], what: list[str]) -> None:
    first, second = (f"{who}在{place}{deed}。" for place, deed in zip(where, what, strict=True))
    assert not replaces(said(first), said(second))
