"""The catalogue of what the pages say."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import get_args

import pytest
from web_site import Place

import memoranda.web
from memoranda.answers import READERS, Stop
from memoranda.measures import NAMES
from memoranda.memory.clearance import ROLES
from memoranda.reports import PlanState
from memoranda.values import SENSITIVITIES, SOURCES
from memoranda.web import library, operations, site, timeline
from memoranda.web.forgetting import TEXTS
from memoranda.web.words import LANGUAGES, Words, catalogue, preferred

FOLDER = Path(memoranda.web.__file__).parent
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.html"))}
CODE = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))}
USED = re.compile(r'\bt(?:\.many)?\(\s*"([a-z_.]+)"\s*[,)]')
NOTES = re.compile(r'"((?:did|login)\.[a-z_]+)"')
FAMILIES = {
    "nav": [name for name, _ in site.NAV],
    "theme": ["auto", "light", "dark"],
    "sort": list(library.SORTS),
    "reader": list(READERS),
    "metric": list(NAMES),
    "part": [*TEXTS, "entry", "seq"],
    "plot": ["event", "work", "prompts", "replies"],
    "state": list(get_args(PlanState)),
    "stop": list(get_args(Stop)),
    "source": list(SOURCES),
    "authority": list(SOURCES),
    "sensitivity": list(SENSITIVITIES),
    "role": list(ROLES),
    "record": list(timeline.KINDS),
    "op": [key for key, _ in operations.FORMS],
    "did.undone": ["plan", "retraction", "undo"],
}
"""What is said of closed sets of names: family -> names."""


def test_every_text_is_there_in_every_language() -> None:
    missing = {
        key: sorted(set(LANGUAGES) ^ set(texts))
        for key, texts in catalogue().items()
        if set(texts) != set(LANGUAGES) or not all(text.strip() for text in texts.values())
    }
    assert missing == {}


def test_both_languages_fill_in_the_same_values() -> None:
    def values(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    odd = {
        key: texts
        for key, texts in catalogue().items()
        if any(values(part) != values(texts["zh"]) for part in texts["en"].split("|"))
    }
    assert odd == {}


@pytest.mark.parametrize("name", list(PAGES))
def test_a_page_says_only_what_the_catalogue_has(name: str) -> None:
    used = set(USED.findall(PAGES[name]))
    assert used - set(catalogue()) == set()


def test_what_is_told_after_a_deed_is_in_the_catalogue() -> None:
    told = {key for text in CODE.values() for key in NOTES.findall(text)}
    assert len(told) > 8
    assert told - set(catalogue()) == {"login.html"}  # a template


def test_names_of_closed_sets_have_words() -> None:
    wanted = {f"{family}.{name}" for family, names in FAMILIES.items() for name in names}
    assert wanted - set(catalogue()) == set()


def test_nothing_in_the_catalogue_is_idle() -> None:
    text = "\n".join([*PAGES.values(), *CODE.values()])
    families = {*FAMILIES, *re.findall(r't\.known\("([a-z]+)"', text)}
    idle = {
        key
        for key in catalogue()
        if f'"{key}"' not in text and not any(key.startswith(f"{name}.") for name in families)
    }
    assert idle == set()


def test_pages_hold_no_words_of_their_own() -> None:
    """What a person reads comes from the catalogue; the name of the product and of a command stay."""
    allowed = {"Memoranda", "memoranda", "token", "add", "doctype", "html"}
    for name, page in PAGES.items():
        body = page.replace('class="alone"', "")
        ours = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", body, flags=re.DOTALL)
        bare = re.sub(r"<[^>]*>", " ", ours)
        words = set(re.findall(r"[A-Za-z\u4e00-\u9fff]{2,}", bare))
        assert words - allowed == set(), name


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB", "en"),
        ("de, zh;q=0.5", "zh"),
        ("", "en"),
        ("*", "en"),
    ],
)
def test_the_language_is_the_first_that_the_browser_names(header: str, language: str) -> None:
    assert preferred(header) == language


def test_one_is_told_from_several() -> None:
    english, chinese = Words(language="en"), Words(language="zh")
    assert [english.many("count.event", n) for n in (0, 1, 2040)] == [
        "0 events", "1 event", "2,040 events",
    ]  # fmt: skip
    assert chinese.many("count.event", 1) == "1 个事件"


@pytest.mark.parametrize(
    ("told", "english", "chinese"),
    [
        (
            "create d4 'Tea pots' with entries 1, 2, 3, 7",
            "create d4 'Tea pots' with lines 1–3, 7",
            "新建 d4 'Tea pots'，收入条目 1–3, 7",
        ),
        ("update d4 with entry 9", "update d4 with line 9", "更新 d4，收入条目 9"),
        ("replace entry 1 by 4", "line 4 replaces line 1", "条目 4 取代条目 1"),
        ("something new", "something new", "something new"),
    ],
)
def test_operations_are_said_in_both_languages(told: str, english: str, chinese: str) -> None:
    assert operations.said(told, Words(language="en")) == english
    assert operations.said(told, Words(language="zh")) == chinese


def test_the_engines_own_sentences_are_known(site: Place) -> None:
    with site.memory() as memory:
        memory.consolidate()
        told = memory.plan(memory.waiting()[0]).operations
    assert [one for one in told if operations.said(one, Words(language="zh")) == one] == []
