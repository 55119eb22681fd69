"""A form is one definition: what it offers it takes, and what it does not offer it refuses by name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from forms_in_use import FORM, OFFERED, RIGHT, WANTED, Draft, Keep, Merge, Place
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import ReplyError
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Alias, Each, Names, Text
from memoranda.values import plain


def changed(path: str, value: object) -> dict[str, Any]:
    """Give the right reply with one place changed; `...` takes the field away."""
    made = json.loads(json.dumps(RIGHT))
    *way, last = path.split("/")
    spot: Any = made
    for part in way:
        spot = spot[int(part) if part.isdigit() else part]
    if value is ...:
        del spot[last]
    else:
        spot[int(last) if last.isdigit() else last] = value
    return made  # type: ignore[no-any-return]


def test_a_right_reply_becomes_the_dataclass() -> None:
    assert FORM.read(RIGHT, OFFERED) == WANTED


def test_what_has_a_default_may_be_left_out() -> None:
    assert FORM.read({"operations": []}) == Draft(operations=())


WRONG = [
    (
        "operations/0/op",
        "erase",
        "unknown_action",
        "'erase', which is not offered; offered: keep, merge",
    ),
    ("operations/0/op", 3, "unknown_action", "'3'"),
    ("operations/0/op", ..., "missing_field", "'op'"),
    ("operations/0/entries", ["e9"], "unknown_alias", "'e9'"),
    ("operations/0/entries", ["E1"], "unknown_alias", "'E1'"),
    ("operations/0/entries", ["e1 "], "unknown_alias", "'e1 '"),
    ("operations/0/entries", [], "shape", "1 to 200"),
    ("operations/0/entries", ["e1", "e1"], "repeated", "twice"),
    ("operations/0/entries", "e1", "shape", "a list"),
    ("operations/0/entries", [["e1"]], "shape", "a text"),
    ("operations/0/note", "x", "unknown_field", "'note'; offered: entries, op"),
    ("operations/1/text", " ", "shape", "blank"),
    ("operations/1/text", "x" * 121, "too_long", "121 characters; 120"),
    ("operations/1/text", None, "shape", "not null"),
    ("operations/1/text", "抱歉，我无法处理这个请求。", "refused", "refusal"),
    ("operations/1/text", ..., "missing_field", "'text'"),
    ("operations/1/key", "k2", "unknown_alias", "offered: k1"),
    ("operations/1", [], "shape", "an object"),
    ("operations", {"0": {}}, "shape", "a list, not an object"),
    ("operations", [RIGHT["operations"][0]] * 9, "shape", "0 to 8"),
    ("operations", ..., "missing_field", "'operations'"),
    ("place/line", 41, "shape", "1 to 40"),
    ("place/line", "3", "shape", "a whole number, not a text"),
    ("place/line", True, "shape", "a whole number, not true or false"),
    ("place/line", 3.0, "shape", "not a number"),
    ("place", "d1", "shape", "an object"),
    ("mood", "Sure", "unknown_action", "offered: sure, unsure"),
    ("mood", None, "unknown_action", "NoneType"),
    ("done", 1, "shape", "true or false"),
    ("done\n\u202e", 1, "unknown_field", r"\u202e"),
]


@pytest.mark.parametrize(("path", "value", "reason", "detail"), WRONG)
def test_what_does_not_fit_is_refused_by_name(
    path: str, value: object, reason: str, detail: str
) -> None:
    with pytest.raises(ReplyError) as caught:
        FORM.read(changed(path, value), OFFERED)
    assert caught.value.reason == reason
    assert detail in caught.value.detail


def test_aliases_of_another_call_do_not_resolve() -> None:
    with pytest.raises(ReplyError, match="'e1'"):
        FORM.read(RIGHT, {**OFFERED, "entry": ["e4", "e5"]})
    with pytest.raises(ReplyError, match="nothing is offered"):
        FORM.read(RIGHT)


def test_each_offered_name_is_taken_and_each_other_refused_by_its_name() -> None:
    """fc-038: prompt, schema and parser come from one definition."""
    schema = FORM.schema(OFFERED)
    offered = set(FORM.actions)
    assert offered == {"keep", "merge", "sure", "unsure"}
    assert set(FORM.names) == names_in(schema)
    samples = [op for op in RIGHT["operations"] if op["op"] in offered]
    for op in samples:
        FORM.read({"operations": [op]}, OFFERED)
        with pytest.raises(ReplyError, match=f"'{op['op']}x'") as caught:
            FORM.read({"operations": [{**op, "op": f"{op['op']}x"}]}, OFFERED)
        assert caught.value.reason == "unknown_action"
    assert {op["op"] for op in samples} | {"sure", "unsure"} == offered


def names_in(schema: Any) -> set[str]:
    match schema:
        case {"properties": dict(inner)}:
            return set(inner).union(*(names_in(each) for each in inner.values()))
        case dict():
            return set().union(*(names_in(each) for each in schema.values()))
        case list():
            return set().union(*(names_in(each) for each in schema))
    return set()


def test_the_schema_is_closed_and_the_same_for_every_call() -> None:
    schema = FORM.schema()
    assert json.dumps(schema) == json.dumps(Form(Draft).schema())
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["operations", "place", "mood", "done"]
    merge = schema["properties"]["operations"]["items"]["anyOf"][1]
    assert merge["properties"]["op"] == {"type": "string", "enum": ["merge"]}
    assert merge["properties"]["text"]["description"] == "The merged line. At most 120 characters"
    assert "e1" not in json.dumps(schema)


def test_the_schema_lists_the_aliases_where_they_are_wanted() -> None:
    merge = FORM.schema(OFFERED)["properties"]["operations"]["items"]["anyOf"][1]["properties"]
    assert merge["entries"]["items"]["enum"] == ["e1", "e2", "e3"]
    assert merge["key"]["anyOf"][0]["enum"] == ["k1"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    of: Annotated[str, Text(most=90), Names("line")]
    sum: Annotated[str, Text(most=50, blank=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    pieces: Annotated[tuple[Piece, ...], Each(most=12, per=1)] = ()
    pairs: Annotated[tuple[str, ...], Each(most=2, per=1), Names("line", 2, 2)] = ()


def test_the_schema_bounds_lists_and_texts_where_it_lists_the_names() -> None:
    plain = json.dumps(Form(Whole).schema())
    assert not any(word in plain for word in ("pattern", "maxItems", "maxLength"))
    parts = Form(Whole).schema({"line": ["kit", "gat", "vim"]}, bounds=True)["properties"]
    piece = parts["pieces"]["items"]["properties"]
    assert (parts["pieces"]["maxItems"], parts["pairs"]["maxItems"]) == (3, 2)
    assert piece["of"]["pattern"] == "^(gat|kit|vim)( (gat|kit|vim)){0,2}$"
    assert piece["sum"]["maxLength"] == 50
    assert parts["pairs"]["items"]["pattern"] == "^(gat|kit|vim)( (gat|kit|vim)){1,1}$"


ENTRIES = st.lists(st.sampled_from(OFFERED["entry"]), min_size=2, unique=True).map(tuple)
DRAFTS = st.builds(
    Draft,
    operations=st.lists(
        st.builds(Keep, entries=ENTRIES)
        | st.builds(
            Merge,
            entries=ENTRIES,
            text=st.text("abc 渡轮", min_size=1, max_size=20).filter(str.strip),
            key=st.none() | st.just("k1"),
        ),
        max_size=4,
        unique=True,
    ).map(tuple),
    place=st.none()
    | st.builds(Place, document=st.sampled_from(["d1", "d2"]), line=st.integers(1, 40)),
    mood=st.sampled_from(["sure", "unsure"]),
    done=st.booleans(),
)


@given(DRAFTS)
def test_a_draft_printed_is_read_back(draft: Draft) -> None:
    assert FORM.read(json.loads(json.dumps(plain(draft))), OFFERED) == draft


@dataclass(frozen=True)
class Loose:
    """Two unions that nothing tells apart."""

    either: Keep | Place


@dataclass(frozen=True)
class Odd:
    """A kind that no form has."""

    number: float


@dataclass(frozen=True)
class Many:
    """A tuple of fixed length."""

    pair: tuple[str, str]


@pytest.mark.parametrize("definition", [Loose, Odd, Many, str])
def test_a_definition_that_no_form_can_hold_is_refused_when_it_is_made(definition: type) -> None:
    with pytest.raises(TypeError):
        Form(definition)


@dataclass(frozen=True)
class Notes:
    """Notes outside and inside a union."""

    outside: Annotated[str | None, Alias("a")]
    inside: tuple[Annotated[str, Alias("a")], ...]
    again: Annotated[tuple[str, ...], Each(once=False)]
    blank: Annotated[str, Text(blank=True)]
    kind: Literal["x", "y"] | None = None  # type: ignore[assignment]


def test_notes_hold_outside_and_inside_of_a_union_or_a_list() -> None:
    form = Form(Notes)
    value = {"outside": "a1", "inside": ["a1"], "again": ["b", "b"], "blank": "", "kind": "y"}
    assert form.read(value, {"a": ["a1"]}) == Notes("a1", ("a1",), ("b", "b"), "", "y")
    for wrong in ({"outside": "a2"}, {"inside": ["a2"]}, {"kind": "z"}):
        with pytest.raises(ReplyError):
            form.read({**value, **wrong}, {"a": ["a1"]})
