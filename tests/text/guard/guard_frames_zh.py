"""Sixty and more Chinese statements of many fields; the form is that of the English ones."""

from __future__ import annotations

from pathlib import Path

FRAMES = (Path(__file__).parent / "frames_zh.txt").read_text("utf-8").splitlines()

LEADS = ("对了，", "说实话，", "其实", "嗯，", "顺便说一下，", "你好，", "哎，")
NAMES = (
    "陈思远",
    "林晓芸",
    "赵一鸣",
    "周若兰",
    "孙国栋",
    "吴丽萍",
    "郑凯",
    "何静怡",
    "罗文博",
    "韩雪",
)
PLACES = ("大理", "苏州", "哈尔滨", "青岛", "拉萨", "泉州", "敦煌", "桂林", "昆明")
THINGS = ("花生", "香菜", "螃蟹", "咖啡", "蘑菇", "榴莲", "芹菜", "蜂蜜")
TOPICS = ("地质", "拉丁语", "织布", "天文", "围棋", "陶艺", "植物学")
PATHS = ("/srv/vault/nightly.sh", "~/keys/main.kdbx", "/opt/run/cron.d/sync", "notes/2024/todo.md")
VERSIONS = ("v2.14.1", "3.0.7", "v1.9", "0.8.12")
MAILS = ("ledger@brine.example", "office@tarn.example", "kim.o@fen.example")
INVENTIONS = (
    "，还有一艘游艇", "，跟{other}一起", "，会说芬兰语", "，再住{n}个冬天", "，靠近{placex}",
    "，有一对双胞胎",
    "，得过奖", "，读过法律", "，因为哮喘", "，日期是{day}", "，网址 {url}", "，养了鹦鹉", "，价值{cash}",
    "，当志愿飞行员",
)  # fmt: skip
