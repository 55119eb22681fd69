"""Our entry in a TOML file: put in and taken out, every other byte as it was."""

from __future__ import annotations

import tomllib

import pytest

from memoranda.install.toml_form import TomlError, found, put, without

ENTRY = {"command": 'C:\\py "3"\\python.exe', "args": ["-m", "memoranda", "mcp", "--user", "安娜"]}
OURS = "mcp_servers"
NAME = "memoranda"

FILES = {
    "empty": "",
    "plain": 'model = "x" # mine\n',
    "others": (
        '# first\nmodel = \'x\'\n\n[mcp_servers.other]\ncommand = "a" # why\nargs = [\n  "b", # c\n]\n\n'
        '[mcp_servers.other.env]\nKEY = "v"\n\n# about profiles\n[profiles.fast]\nmodel = "y"\n'
    ),
    "crlf": 'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "a"\r\n',
    "text that looks like a table": 'note = """\n[mcp_servers.memoranda]\ncommand = "no"\n"""\n',
}


@pytest.mark.parametrize("name", FILES)
def test_an_entry_goes_in_and_out_and_the_file_is_as_it_was(name: str) -> None:
    before = FILES[name]
    if name == "text that looks like a table":
        with pytest.raises(TomlError, match="by hand"):
            put(before, OURS, NAME, ENTRY)
        return
    after = put(before, OURS, NAME, ENTRY)
    assert after.startswith(before)
    assert tomllib.loads(after)[OURS][NAME] == ENTRY == found(after, OURS, NAME)
    assert put(after, OURS, NAME, ENTRY) == after
    assert without(after, OURS, NAME) == before


def test_a_file_without_a_last_newline_gets_one() -> None:
    after = put('model = "x"', OURS, NAME, ENTRY)
    assert tomllib.loads(after)["model"] == "x"
    assert without(after, OURS, NAME) == 'model = "x"\n'


def test_ours_is_replaced_and_taken_out_with_its_parts_from_between_others() -> None:
    head = '[mcp_servers.other]\ncommand = "a"\n\n'
    ours = '[mcp_servers.memoranda]\ncommand = "old"\n\n[mcp_servers.memoranda.env]\nA = "b"\n'
    tail = '\n# about profiles\n[profiles.fast]\nmodel = "y"\n'
    after = put(head + ours + tail, OURS, NAME, ENTRY)
    assert after.startswith(head)
    assert after.endswith(tail)
    assert tomllib.loads(after)[OURS][NAME] == ENTRY
    assert without(head + ours + tail, OURS, NAME) == head + tail


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("model = ]", "line 1"),
        ("mcp_servers = 3", "has to be a table"),
        ('mcp_servers = {other = {command = "a"}}', "by hand"),
    ],
)
def test_what_can_not_be_changed_safely_is_left_to_a_person(text: str, why: str) -> None:
    with pytest.raises(TomlError, match=why):
        put(text, OURS, NAME, ENTRY)


def test_an_entry_in_another_form_is_not_torn_out() -> None:
    text = 'mcp_servers.memoranda.command = "a"\nmodel = "x"\n'
    assert found(text, OURS, NAME) == {"command": "a"}
    with pytest.raises(TomlError, match="by hand"):
        without(text, OURS, NAME)
