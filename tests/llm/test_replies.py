"""What is read of a reply, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import ModelRefusedError, ReplyError
from memoranda.llm.doubles.faults_of_text import REFUSALS
from memoranda.llm.model import Reply
from memoranda.llm.refusals import is_refusal, is_refusal_within
from memoranda.llm.replies import BYTES, DEPTH, REASONS, payload, prose_of, read, value_of

THING = '{"a": 1}'

TAKEN: list[tuple[str, Any]] = [
    (THING, {"a": 1}),
    (f"  \n{THING}\n ", {"a": 1}),
    ("[1, -2.5, true, null]", [1, -2.5, True, None]),
    ('"渡轮"', "渡轮"),
    (f"```json\n{THING}\n```", {"a": 1}),
    (f"```\n{THING}\n```", {"a": 1}),
    (f"```json\r\n{THING}\r\n```", {"a": 1}),
    (f"~~~json\n{THING}\n~~~", {"a": 1}),
    (f"<think>\nMaybe {{}}?\n</think>\n\n{THING}", {"a": 1}),
    (f"<think></think>```json\n{THING}\n```", {"a": 1}),
    (f"as the opening stood in the prompt</think>{THING}", {"a": 1}),
    ('{"a": "```"}', {"a": "```"}),
    ('{"a": "<think>b</think>"}', {"a": "<think>b</think>"}),
    ('{"a": "\\ud83d\\udef3"}', {"a": "🛳"}),
    ('{"\\u0061": 1e3}', {"a": 1000.0}),
    ("[" * DEPTH + "]" * DEPTH, eval("[" * DEPTH + "]" * DEPTH)),  # noqa: S307 - brackets only
    ("9" * 20, int("9" * 20)),
]
REFUSED = [
    ("", "empty"),
    ("\n \t", "empty"),
    ("```json\n```", "empty"),
    ("<think>hm</think>", "empty"),
    ("Sure! {}", "prose"),
    ("\ufeff{}", "prose"),
    ("<html>", "prose"),
    ("好的：{}", "prose"),
    (f"{THING} I hope this helps", "trailing"),
    (f"{THING}{THING}", "trailing"),
    (f"{THING},", "trailing"),
    (f"```json\n{THING}", "fence"),
    (f"```json\n{THING}\n```\n```json\n{THING}\n```", "fence"),
    (f"```json\n{THING}\n``` done", "fence"),
    (f"```python\n{THING}\n```", "fence"),
    (f"<think>hm {THING}", "reasoning"),
    (f"<think>a</think><think>b</think>{THING}", "reasoning"),
    ('{"a": NaN}', "number"),
    ('{"a": Infinity}', "number"),
    ('{"a": -Infinity}', "number"),
    ("[1e999]", "number"),
    ("9" * 21, "number"),
    ("9" * 5000, "number"),
    ("[0." + "1" * 5000 + "]", "number"),
    ('{"a": 1, "a": 1}', "duplicate_key"),
    ('{"b": {"a": 1, "\\u0061": 2}}', "duplicate_key"),
    ('{"a": "\\ud83d"}', "surrogate"),
    ('{"\\udef3": 1}', "surrogate"),
    ('{"a": "\ud83d"}', "surrogate"),
    ('{"a": "b\\u0000"}', "control"),
    ("[" * (DEPTH + 1) + "]" * (DEPTH + 1), "too_deep"),
    ("[" * 100_000, "too_deep"),
    ('{"a":' * 100_000 + "1" + "}" * 100_000, "too_deep"),
    ('["' + "]" * 90 + '", ' + "[" * 90, "too_deep"),
    ('{"a": "' + "b" * BYTES + '"}', "too_big"),
    ('{"a": "' + "渡" * (BYTES // 3) + '"}', "too_big"),
    ('{"a": "b', "syntax"),
    ('{"a": 1,}', "syntax"),
    ("{'a': 1}", "syntax"),
    ('{"a": "b\nc"}', "syntax"),
    ('{"a": 1 // one\n}', "syntax"),
    ('{"a": undefined}', "syntax"),
    ('"' + '\\"' * 3000, "syntax"),
    ("nothing found", "syntax"),
    ("I'm sorry, I can't help with that.", "refused"),
    ("抱歉，我无法处理。", "refused"),
    ("<think>no</think>I cannot assist with this request.", "refused"),
]


@pytest.mark.parametrize(("text", "value"), TAKEN)
def test_one_json_value_is_read(text: str, value: object) -> None:
    assert read(text) == value


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=[f"{r}-{t[:12]!a}" for t, r in REFUSED])
def test_anything_else_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read(text)
    assert caught.value.reason == reason
    assert reason in REASONS
    assert len(str(caught.value)) < 250


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.text('ab"\\渡 {}[]`<>', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, st.booleans(), st.sampled_from(["{}", "```json\n{}\n```", "<think>x</think>\n{}"]))
def test_what_json_prints_is_read_back(value: object, is_ascii: bool, around: str) -> None:  # noqa: FBT001
    text = json.dumps(value, ensure_ascii=is_ascii)
    assert read(around.replace("{}", text)) == value


@given(st.text('{}[]",:`\\\n truefalsn01eE+-.<>/think\ud800渡', max_size=60))
def test_no_text_brings_another_error(text: str) -> None:
    with suppress(ReplyError):
        json.dumps(read(text), allow_nan=False).encode()


def test_a_cut_reply_is_refused_though_it_reads_well() -> None:
    with pytest.raises(ReplyError) as caught:
        value_of(Reply(text=THING, stop="length"))
    assert caught.value.reason == "cut"


@pytest.mark.parametrize("reply", [Reply(text=THING, stop="refused"), Reply(text=REFUSALS[0])])
def test_a_refusal_is_its_own_error(reply: Reply) -> None:
    with pytest.raises(ModelRefusedError):
        value_of(reply)


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals_are_told_in_twelve_languages(text: str) -> None:
    assert is_refusal(text)
    assert is_refusal(f"\n**{text}**")
    assert is_refusal_within(text)
    with pytest.raises(ReplyError) as caught:
        read(text)
    assert caught.value.reason == "refused"


KEPT = [
    "Anna can't come on Tuesday.",
    "I'm sorry I missed the ferry, said Anna.",
    "抱歉没赶上渡轮，安娜说。",
    "我不能吃花生。",
    "I can't eat peanuts.",
    "Unfortunately the kiln broke.",
    "Es tut mir leid, dass es regnet.",
    "No puedo comer gluten.",
    "The request for a new ferry was refused.",
    "她拒绝了新的报价。",
    "As an AI researcher, Anna works at night.",
    "作为人工智能研究员，她常加班。",
    "我无法参加周五的会议。",
    "I cannot join the call on Friday.",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_people_say_of_themselves_is_no_refusal_within_a_reply(text: str) -> None:
    assert not is_refusal_within(text)


def test_prose_comes_without_its_reasoning() -> None:
    assert prose_of(Reply(text="<think>hm</think>\n周二停开。 ")) == "周二停开。"
    for said in ("It can't sail on Tuesday.", "Unfortunately, no.", "抱歉，周二不开。"):
        assert prose_of(Reply(text=said)) == said


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(text="It can", stop="length"), "cut"),
        (Reply(text=" "), "empty"),
        (Reply(text="<think>hm</think>"), "empty"),
        (Reply(text="<think>hm"), "reasoning"),
        (Reply(text="a\0b"), "control"),
        (Reply(text="a\ud800b"), "surrogate"),
    ],
)
def test_prose_that_is_no_use_is_refused(reply: Reply, reason: str) -> None:
    with pytest.raises(ReplyError) as caught:
        prose_of(reply)
    assert caught.value.reason == reason


@pytest.mark.parametrize("text", REFUSALS)
def test_prose_that_declines_is_a_refusal(text: str) -> None:
    with pytest.raises(ModelRefusedError):
        prose_of(Reply(text=text))


def test_an_endpoints_own_object_is_read_or_is_none() -> None:
    assert payload(b'{"a": 1}') == {"a": 1}
    for body in (
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff",
        b'{"a":' * 9000,
        b'{"a": ' + b"9" * 9000 + b"}",
    ):
        assert payload(body) is None
