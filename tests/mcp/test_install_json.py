"""Our entry in a JSON file with comments: put in and taken out, every other byte as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.install.json_form import found, put, without
from memoranda.install.jsonc import JsonError, parse

ENTRY = {"command": "/opt/py thon", "args": ["-m", "memoranda", "mcp"]}
NAME = "memoranda"

FILES = {
    "lines": '{\n  "theme": "dark",\n  "mcpServers": {\n    "other": {\n      "command": "x"\n    }\n  }\n}',
    "no section": '{\n    "theme": "dark"\n}\n',
    "section first": '{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}',
    "one line": '{"theme":"dark","mcpServers":{"other":{"command":"x"}}}',
    "empty section": '{\n\t"mcpServers": {},\n\t"theme": "dark"\n}',
    "empty object": "{}",
    "empty object, broken": "{\n}\n",
    "crlf": '{\r\n  "mcpServers": {\r\n    "other": {"command": "x"}\r\n  }\r\n}\r\n',
    "comments": (
        '// my servers\n{\n  /* a block */\n  "mcpServers": { // here they are\n'
        '    "other": {"command": "x"} // the last one\n    // and nothing behind it\n  },\n'
        '  "url": "http://a//b" // no comment in a text: "/* */"\n}\n// the end\n'
    ),
    "comma at the end": '{\n  "mcpServers": {\n    "other": {"command": "x"}, // last\n  },\n}\n',
    "mark": '\ufeff{\n  "theme": "d\u00e4rk"\n}\n',
    "chinese": '{\n  "主题": "暗",\n  "mcpServers": {\n    "其他": {"command": "某"}\n  }\n}',
}


@pytest.mark.parametrize("name", FILES)
def test_an_entry_goes_in_and_out_and_the_file_is_as_it_was(name: str) -> None:
    before = FILES[name]
    after = put(before, "mcpServers", NAME, ENTRY)
    assert found(after, "mcpServers", NAME) == ENTRY
    expected = parse(before).value
    expected["mcpServers"] = {**expected.get("mcpServers", {}), NAME: ENTRY}
    assert parse(after).value == expected
    assert put(after, "mcpServers", NAME, ENTRY) == after
    back = without(after, "mcpServers", NAME)
    if "mcpServers" in before:
        assert back == before
    else:
        assert parse(back).value == {**parse(before).value, "mcpServers": {}}


def alike(one: str, other: str) -> int:
    """Count the characters with which two texts begin alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


@pytest.mark.parametrize("name", FILES)
def test_what_goes_in_is_one_piece_and_at_most_a_comma(name: str) -> None:
    before, after = FILES[name], put(FILES[name], "mcpServers", NAME, ENTRY)
    same = alike(before, after)
    if not after.endswith(before[same:]):
        assert after[same] == ","
        before, after = before[same:], after[same + 1 :]
        same = alike(before, after)
    assert after.endswith(before[same:])


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
def test_an_empty_file_gets_a_whole_object(text: str) -> None:
    after = put(text, "servers", NAME, ENTRY)
    assert json.loads(after.removeprefix("\ufeff")) == {"servers": {NAME: ENTRY}}
    assert after.endswith("\n")


def test_another_entry_of_ours_is_replaced_where_it_stands() -> None:
    before = put(FILES["comments"], "mcpServers", NAME, {"command": "old", "args": []})
    after = put(before, "mcpServers", NAME, ENTRY)
    assert without(after, "mcpServers", NAME) == FILES["comments"]
    assert found(after, "mcpServers", NAME) == ENTRY


def test_ours_is_taken_out_from_between_others() -> None:
    text = '{\n  "servers": {\n    "a": {},\n    "memoranda": {\n    },\n    "b": {}\n  }\n}\n'
    assert (
        without(text, "servers", NAME) == '{\n  "servers": {\n    "a": {},\n    "b": {}\n  }\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": }', "line 1, column 7"),
        ('{\n "a": 1\n "b": 2}', "line 3, column 2"),
        ('{"a": 1', "line 1"),
        ("{/* no end", "comment"),
        ("[]", "object"),
        ('{"mcpServers": []}', "mcpServers has to be an object"),
        ('{"a": NaN}', "value"),
        ('{"a": 01}', "value"),
        ("{'a': 1}", "double quotes"),
        ('{"a": "b\nc"}', "double quotes"),
        ('{"a": "\\x"}', "escape"),
        ('{} {"more": 1}', "behind"),
        ("[" * 300, "nested"),
        ("null", "object"),
    ],
)
def test_a_broken_file_is_refused_by_line_and_column(text: str, place: str) -> None:
    for work in (
        lambda: put(text, "mcpServers", NAME, ENTRY),
        lambda: without(text, "mcpServers", NAME),
        lambda: found(text, "mcpServers", NAME),
    ):
        with pytest.raises(JsonError, match=place):
            work()


def test_an_entry_that_stands_there_twice_is_left_to_a_person() -> None:
    text = '{"mcpServers": {"memoranda": {"command": "a"}, "memoranda": {"command": "b"}}}'
    with pytest.raises(JsonError, match="twice"):
        without(text, "mcpServers", NAME)


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
LAYOUTS: tuple[dict[str, Any], ...] = (
    {"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")}, {"indent": 0},
)  # fmt: skip


@given(
    value=st.dictionaries(st.text(max_size=5), VALUES, max_size=3),
    servers=st.none() | st.dictionaries(st.text(max_size=5), VALUES, max_size=3),
    layout=st.sampled_from(LAYOUTS),
    newline=st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=30, deadline=None)
def test_any_file_keeps_all_that_is_not_ours(
    value: dict[str, Any], servers: dict[str, Any] | None, layout: dict[str, Any], newline: str
) -> None:
    value = {key: item for key, item in value.items() if key != "mcpServers"}
    servers = None if servers is None else {k: v for k, v in servers.items() if k != NAME}
    whole = value if servers is None else {**value, "mcpServers": servers}
    text = json.dumps(whole, **layout).replace("\n", newline)
    assert parse(text).value == json.loads(text)
    after = put(text, "mcpServers", NAME, ENTRY)
    assert json.loads(after) == {**value, "mcpServers": {**(servers or {}), NAME: ENTRY}}
    back = without(after, "mcpServers", NAME)
    if servers:
        assert back == text
    else:
        assert json.loads(back) == {**value, "mcpServers": {}}


@given(st.text(alphabet='{}[]",:/*\\\n a1', max_size=20))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        try:
            parse(text)
        except JsonError:
            return
    else:
        assert parse(text).value == expected
