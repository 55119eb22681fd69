"""Each setting survives the way through the environment, and each wrong value is named."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from memoranda import Settings
from memoranda.errors import InputError
from memoranda.llm.choose import choose
from memoranda.llm.prices import Tariff

LOCAL = {"OPENAI_BASE_URL": "http://localhost:1/v1", "ANTHROPIC_BASE_URL": "http://localhost:1"}
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20
).filter(lambda text: text.strip() and text.strip().lower() != "none")  # fmt: skip
LIMITS = st.none() | st.integers(0, 10**15)
MONEY = st.none() | st.floats(0, 1e15)
SWITCHES = {True: ("on", "true", "1", "ON"), False: ("off", "false", "0", "False")}
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "current_tokens": st.integers(50, 10**9),
    "current_seconds": st.floats(0, math.inf),
    "split_tokens": st.integers(1000, 10**9),
    "merge_tokens": st.integers(0, 1000),
    "structure": st.sampled_from(["on", "off"]),
    "auto": st.sampled_from([None, True, False]),
    "entry_tokens": st.integers(50, 10**9),
    "mode": st.sampled_from(["auto", "review", "shadow"]),
    "documents": st.none() | TEXTS,
    "busy_seconds": st.floats(0, 1e6),
    "model": st.just("rules")
    | st.tuples(st.sampled_from(["openai", "anthropic", "command"]), TEXTS).map(":".join),
    "trust": st.sampled_from(["rules", "model"]),
    "run_calls": LIMITS,
    "run_tokens": LIMITS,
    "run_money": MONEY,
    "day_calls": LIMITS,
    "day_tokens": LIMITS,
    "day_money": MONEY,
    "price": st.none()
    | st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)).map(lambda pair: f"{pair[0]}/{pair[1]}"),
    "keep_calls": st.booleans(),
    "adopt": st.booleans(),
    "git": st.booleans(),
    "prompt_tokens": st.integers(200, 10**9),
    "reply_tokens": st.integers(50, 10**9),
    "model_seconds": st.floats(0.01, 1e6),
    "vectors": st.sampled_from(["off", "on"]),
    "clearance": st.sampled_from(["public", "internal", "private"]),
    "role": st.sampled_from(["reader", "writer", "maintainer", "owner"]),
    "only_projects": st.none() | TEXTS,
    "labels": st.none() | TEXTS,
    "tools": st.none() | TEXTS,
    "permits": st.none() | TEXTS,
    "search_hits": st.integers(1, 10**9),
    "grep_hits": st.integers(1, 10**9),
    "read_lines": st.integers(1, 10**9),
    "catalog_page": st.integers(1, 10**9),
    "inline_documents": st.integers(1, 10**9),
    "evidence_tokens": st.integers(1, 10**9),
    "secrets": st.sampled_from(["redact", "refuse", "keep"]),
    "asked_to_forget": st.sampled_from(["ask", "run", "ignore"]),
    "retention": st.none()
    | st.sampled_from(["tool=90d", "private=1y forget, kind:note=8w, all=2030-01-31"]),
    "count_shown": st.booleans(),
    "metric_limits": st.none() | st.sampled_from(["coverage>=0.9", "backlog<=5, drift<=0"]),
}
WRONG: dict[str, tuple[str, ...]] = {
    "current_tokens": ("many", "49", "5.5", "none", "-1", "1e3", "9" * 40, "9" * 5000),
    "current_seconds": ("1h", "-1", "nan", "-inf", "none"),
    "split_tokens": ("0", "五千元"),
    "merge_tokens": ("-1", "off"),
    "structure": ("maybe", "ON", "none"),
    "auto": ("perhaps", "2", "yes please"),
    "entry_tokens": ("0", "true"),
    "mode": ("lax", "none"),
    "documents": (" ", "\u3000"),
    "busy_seconds": ("-0.1", "nan", "inf", "1000001"),
    "model": ("gpt", "openai:", "openai", "rules:", "RULES", "http://localhost:1", "none", ": x"),
    "trust": ("nobody", "none"),
    "run_calls": ("-1", "0.5", "no limit"),
    "run_tokens": ("-1", "1k"),
    "run_money": ("-0.01", "$5", "nan", "inf"),
    "day_calls": ("-1", "ten"),
    "day_tokens": ("-1", "十"),
    "day_money": ("-1", "five"),
    "price": ("cheap", "1", "1/2/3", "-1/2", "nan/1", "1/inf", "/", "1/"),
    "keep_calls": ("none", "maybe"),
    "adopt": ("none", "maybe"),
    "git": ("none", "maybe"),
    "prompt_tokens": ("199", "0", "none", "2k"),
    "reply_tokens": ("10", "all"),
    "model_seconds": ("0", "-5", "nan", "1e9"),
    "vectors": ("yes", "none"),
    "clearance": ("secret", "none"),
    "role": ("boss", "none"),
    "only_projects": (" ",),
    "labels": (" ",),
    "tools": (" ", "\u3000"),
    "permits": (" ",),
    "search_hits": ("0", "none", "many"),
    "grep_hits": ("0", "-1"),
    "read_lines": ("0", "1.5"),
    "catalog_page": ("0", "all"),
    "inline_documents": ("0", "none"),
    "evidence_tokens": ("0", "四千元"),
    "secrets": ("off", "none"),
    "asked_to_forget": ("yes", "none"),
    "retention": (" x", "tool=soon", "teapot=3d", "tool"),
    "count_shown": ("maybe", "none"),
    "metric_limits": ("coverage", "beauty>=1", "覆盖>=1"),
}
NAMES = [field.name for field in fields(Settings)]


def as_text(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "on" if value else "off"
        case _:
            return str(value)


def test_every_setting_is_tried_here_and_told_in_the_docstring() -> None:
    assert list(VALUES) == NAMES
    assert list(WRONG) == NAMES
    told = Settings.__doc__ or ""
    assert [name for name in NAMES if f"        {name}: " not in told] == []


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(data=st.data())
def test_a_setting_survives_the_way_through_the_environment(name: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[name])
    read = Settings.from_environ({f"MEMORANDA_{name.upper()}": as_text(value)})
    assert read == Settings(**{name: value})
    assert getattr(read, name) == value


@settings(max_examples=50)
@given(st.fixed_dictionaries({}, optional=VALUES))
def test_all_settings_survive_it_together(values: dict[str, Any]) -> None:
    environ = {f"MEMORANDA_{name.upper()}": as_text(value) for name, value in values.items()}
    assert Settings.from_environ(environ) == Settings(**values)


@pytest.mark.parametrize("said", [text for texts in SWITCHES.values() for text in texts])
def test_a_switch_may_be_said_in_several_ways(said: str) -> None:
    read = Settings.from_environ({"MEMORANDA_KEEP_CALLS": said, "MEMORANDA_AUTO": said})
    assert (read.keep_calls, read.auto) == (said in SWITCHES[True],) * 2


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name, texts in WRONG.items() for text in texts],
    ids=lambda text: ascii(text)[1:13],
)
def test_a_wrong_text_is_an_input_error_that_names_the_variable(name: str, text: str) -> None:
    with pytest.raises(InputError, match=f"^MEMORANDA_{name.upper()}\\b") as caught:
        Settings.from_environ({f"MEMORANDA_{name.upper()}": text})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(text=st.text(max_size=12))
@example(text="1_000")
@example(text="١٢٣")
def test_any_text_is_either_a_value_that_fits_or_an_input_error(name: str, text: str) -> None:
    variable = f"MEMORANDA_{name.upper()}"
    try:
        read = Settings.from_environ({variable: text})
    except InputError as error:
        assert variable in str(error) or "merge_tokens" in str(error)  # noqa: PT017 - any text
    else:
        assert Settings(**{name: getattr(read, name)}) == read


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("current_tokens", "5000"),
        ("current_tokens", 5000.0),
        ("current_tokens", True),
        ("split_tokens", None),
        ("current_seconds", math.nan),
        ("current_seconds", -math.inf),
        ("model_seconds", math.inf),
        ("busy_seconds", 10**400),
        ("structure", ["on"]),
        ("auto", "off"),
        ("auto", 1),
        ("keep_calls", 0),
        ("keep_calls", None),
        ("documents", ""),
        ("documents", 7),
        ("model", None),
        ("model", ""),
        ("price", 3),
        ("run_calls", 1.0),
        ("run_money", "5"),
    ],
)
def test_a_value_of_another_kind_is_an_input_error_that_names_the_setting(
    name: str, value: object
) -> None:
    with pytest.raises(InputError, match=f"^setting {name} "):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_a_number_too_large_to_be_printed_is_refused_all_the_same() -> None:
    for value in (10**5000, -(10**5000)):
        with pytest.raises(InputError, match=r"^setting run_calls "):
            Settings(run_calls=value)


def test_whole_numbers_may_stand_for_seconds_and_dollars() -> None:
    assert Settings(current_seconds=5, run_money=2) == Settings(current_seconds=5.0, run_money=2.0)


@pytest.mark.parametrize(
    ("model", "auto", "runs"),
    [
        ("rules", None, True),
        (" rules ", None, True),
        ("openai:m", None, False),
        ("command:cat", None, False),
        ("rules", False, False),
        ("anthropic:m", True, True),
    ],
)
def test_a_model_works_by_itself_only_when_asked_to(
    *, model: str, auto: bool | None, runs: bool
) -> None:
    assert Settings(model=model, auto=auto).runs_by_itself is runs


@settings(max_examples=100)
@given(st.sampled_from(["rules", "openai", "anthropic", "command", "x", ""]), st.text(max_size=8))
def test_what_is_refused_as_a_model_could_not_be_chosen(kind: str, rest: str) -> None:
    spec = kind + rest
    assume("\0" not in spec and spec.strip())
    try:
        Settings(model=spec)
    except InputError:
        with pytest.raises(InputError):
            choose(spec, LOCAL)


@pytest.mark.parametrize("spec", ["rules", "openai:m", " anthropic: m ", "command:cat -n"])
def test_what_is_taken_as_a_model_can_be_chosen(spec: str) -> None:
    made = choose(Settings(model=spec).model, LOCAL)
    assert (made is None) is (spec == "rules")


def test_a_key_in_the_place_of_a_model_is_not_repeated() -> None:
    with pytest.raises(InputError) as caught:
        Settings.from_environ({"MEMORANDA_MODEL": "sk-0123456789"})
    assert "sk-" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        Settings(model="sk-0123456789")
    assert "sk-" not in str(caught.value)


@settings(max_examples=100)
@given(
    st.text(st.sampled_from("0123456789./-+e naif_ "), min_size=1, max_size=9)
    .filter(str.strip)
)  # fmt: skip
@example("1/2")
@example("0/0")
def test_a_price_is_taken_exactly_if_a_tariff_can_be_made_of_it(text: str) -> None:
    try:
        Tariff.parse(text)
    except InputError:
        with pytest.raises(InputError, match=r"^setting price "):
            Settings(price=text)
    else:
        assert Settings(price=text).price == text
