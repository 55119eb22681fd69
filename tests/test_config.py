"""Files of settings: which one decides, what they may hold, and what is said of those that can't be."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import Settings
from memoranda.config import FILE, MAX_BYTES, load_settings, read_file
from memoranda.errors import InputError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
NAMES = [field.name for field in fields(Settings)]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The user's configuration folder."""
    return made(tmp_path / "own")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder."""
    return made(tmp_path / "data")


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def write(folder: Path, text: str) -> Path:
    path = folder / FILE
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def test_the_example_of_the_docs_states_every_default(own: Path, data: Path) -> None:
    example = PAGE.read_text(encoding="utf-8").split("```toml\n", 1)[1].split("```", 1)[0]
    write(data, example)
    assert load_settings({}, data, {}, folder=own) == Settings()
    stated = tomllib.loads(example)["settings"]
    assert sorted([*stated, "documents"]) == sorted(NAMES)
    assert "`documents`" in PAGE.read_text(encoding="utf-8")
    assert all(
        value == ("none" if (default := getattr(Settings(), name)) is None else default)
        for name, value in stated.items()
    )


def test_without_any_file_the_defaults_hold(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "such"
    assert load_settings({}, nowhere, {}, folder=nowhere / "own") == Settings()
    assert not (tmp_path / "none").exists()


def test_a_file_in_place_of_a_folder_states_nothing(own: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert load_settings({}, tmp_path / "file", {}, folder=own) == Settings()


@settings(max_examples=60)
@given(
    st.lists(st.none() | st.integers(50, 9000), min_size=4, max_size=4),
)
def test_the_first_that_states_a_setting_decides(
    tmp_path_factory: pytest.TempPathFactory, stated: list[int | None]
) -> None:
    flag, variable, shared, personal = stated
    folders = [tmp_path_factory.mktemp("place") for _ in range(2)]
    for folder, value in zip(folders, (shared, personal), strict=True):
        if value is not None:
            write(folder, f"[settings]\ncurrent_tokens = {value}\n")
    found = load_settings(
        {} if variable is None else {"MEMORANDA_CURRENT_TOKENS": str(variable)},
        folders[0],
        {} if flag is None else {"current_tokens": flag},
        folder=folders[1],
    )
    assert found.current_tokens == next((value for value in stated if value is not None), 5000)


def test_settings_of_several_places_come_together(own: Path, data: Path) -> None:
    write(own, '[settings]\nmodel = "command:cat"\nday_money = 2\nmode = "review"\n')
    write(data, '[settings]\nmode = "shadow"\nprice = "0.25/2"\n')
    environ = {"MEMORANDA_RUN_CALLS": "40", "MEMORANDA_USER": "ada"}
    assert load_settings(environ, data, {"trust": "model"}, folder=own) == Settings(
        model="command:cat", day_money=2.0, mode="shadow", price="0.25/2", run_calls=40,
        trust="model",
    )  # fmt: skip


@pytest.mark.parametrize("where", ["data", "environment", "flag"])
def test_none_lifts_a_limit_that_was_set_below(own: Path, data: Path, where: str) -> None:
    write(own, "[settings]\nrun_calls = 5\nauto = true\n")
    if where == "data":
        write(data, '[settings]\nrun_calls = "none"\n')
    environ = {"MEMORANDA_RUN_CALLS": "None"} if where == "environment" else {}
    flags = {"run_calls": "none"} if where == "flag" else {}
    found = load_settings(environ, data, flags, folder=own)
    assert (found.run_calls, found.auto) == (None, True)


def test_a_limit_on_both_sides_is_looked_at_together(own: Path, data: Path) -> None:
    write(own, "[settings]\nmerge_tokens = 3000\n")
    with pytest.raises(InputError, match="merge_tokens must not be larger than split_tokens"):
        load_settings({"MEMORANDA_SPLIT_TOKENS": "2000"}, data, {}, folder=own)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[settings", "is not TOML"),
        ("[settings]\nmodel = rules\n", "is not TOML"),
        ("[settings]\nmode = 'auto'\nmode = 'review'\n", "is not TOML"),
        ("[settings]\nrun_calls = " + "9" * 5000, "a number has too many digits"),
        ("x = " + "[" * 5000, "nested too deep"),
        ("settings = 3\n", "settings must be a table"),
        ("mode = 'auto'\n", "'mode' stands outside of a table; put it below a line .settings."),
        ("[user.ada.settings]\nmode = 'auto'\n", "'user' is not set in a file; .*--user"),
        ("root = 'x'\n", "'root' is not set in a file; give it with --root or in MEMORANDA_ROOT"),
        ("workspace = 'x'\n", "'workspace' is not set in a file"),
        ("project = 'x'\n", "'project' is not set in a file"),
        ("[settings]\nproject = 'x'\n", "'project' is not set in a file"),
        ("[settings]\nall_projects = true\n", "--all-projects"),
        ("[settings]\ndocuments = 'x'\n", "'documents' is one scope's"),
        ("[setting]\nmode = 'auto'\n", "'setting' is not known"),
        ("[settings]\nrun_call = 3\n", "'run_call' is no setting; did you mean run_calls"),
        ("[settings]\nrun_token = 3\n", "did you mean run_tokens"),
        ("[settings]\nreply-tokens = 3\n", "did you mean reply_tokens"),
        ("[settings]\ncolour = 'red'\n", "'colour' is no setting; see docs/configuration.md"),
        ("[settings]\n'茶' = 'green'\n", "'茶' is no setting"),
        ("[settings]\ncurrent_tokens = '5000'\n", "current_tokens must be a whole number"),
        ("[settings]\ncurrent_tokens = 5000.0\n", "current_tokens must be a whole number"),
        ("[settings]\ncurrent_tokens = true\n", "current_tokens must be a whole number"),
        ("[settings]\ncurrent_tokens = 'none'\n", "current_tokens must be a whole number"),
        ("[settings]\ncurrent_tokens = 7\n", "current_tokens must be at least 50, not 7"),
        ("[settings]\nrun_calls = 0x" + "f" * 5000, "run_calls is too large"),
        ("[settings]\nrun_calls = -1\n", "run_calls must not be negative"),
        ("[settings]\nday_money = nan\n", "day_money must not be negative, not nan"),
        ("[settings]\nday_money = inf\n", "day_money is too large"),
        ("[settings]\nmode = 'lax'\n", "mode is 'auto', 'review' or 'shadow', not 'lax'"),
        ("[settings]\nauto = 'on'\n", "auto must be true or false, or none"),
        ("[settings]\nkeep_calls = 1\n", "keep_calls must be true or false"),
        ("[settings]\nprice = 2.5\n", "price must be a text"),
        ("[settings]\nprice = 'cheap'\n", "price is IN/OUT"),
        ("[settings]\nmodel = 'gpt'\n", "model must be rules, openai:NAME"),
        ("[settings]\nmodel = 2026-03-01\n", "model must be a text"),
        ("[settings.model]\nname = 'x'\n", "model must be a text"),
    ],
    ids=lambda text: ascii(text[:40]),
)
@pytest.mark.parametrize("where", ["own", "data"])
def test_what_can_not_be_is_named_with_its_file(
    own: Path, data: Path, where: str, text: str, said: str
) -> None:
    path = write({"own": own, "data": data}[where], text)
    with pytest.raises(InputError, match=said) as caught:
        load_settings({}, data, {}, folder=own)
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value)) < len(str(path)) + 200


@pytest.mark.parametrize(
    "text",
    [
        "api_key = 'hush-hush'\n",
        "[settings]\nkey = 'hush-hush'\n",
        "[settings]\ntoken = 'hush-hush'\n",
        "[settings]\nAPIKey = 'hush-hush'\n",
        "[settings]\nopenaiApiKey = 'hush-hush'\n",
        "[settings]\nOPENAI_API_KEY = 'hush-hush'\n",
        "[settings]\nmodel-token = 'hush-hush'\n",
        "[settings]\nmodel = {name = 'x', secret = 'hush-hush'}\n",
        "[openai]\npassword = 'hush-hush'\n",
        "[[provider]]\n'access.token' = 'hush-hush'\n",
    ],
)
def test_a_secret_is_sent_to_the_environment_and_not_repeated(data: Path, text: str) -> None:
    write(data, text)
    with pytest.raises(InputError, match="secrets belong in environment variables") as caught:
        read_file(data / FILE)
    assert "hush" not in str(caught.value)


def test_a_key_of_a_provider_as_the_model_is_not_repeated(data: Path) -> None:
    write(data, "[settings]\nmodel = 'sk-0123456789'\n")
    with pytest.raises(InputError, match="model must be") as caught:
        read_file(data / FILE)
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("spec", ["command:cat", " command: cat"])
def test_a_data_folder_that_came_from_somebody_names_no_program_to_run(
    own: Path, data: Path, spec: str
) -> None:
    write(data, f"[settings]\nmodel = '{spec}'\n")
    with pytest.raises(InputError, match="model must not name a command here"):
        load_settings({"MEMORANDA_MODEL": "rules"}, data, {}, folder=own)
    (data / FILE).rename(own / FILE)
    assert load_settings({}, data, {}, folder=own).model == spec


def test_one_folder_for_both_is_the_users_own(own: Path) -> None:
    write(own, "[settings]\nmodel = 'command:cat'\n")
    assert load_settings({}, own, {}, folder=made(own / "sub") / "..").model == "command:cat"


def test_an_override_that_is_no_setting_is_an_input_error(own: Path, data: Path) -> None:
    with pytest.raises(InputError, match="'run_call' is no setting; did you mean run_calls"):
        load_settings({}, data, {"run_call": 3}, folder=own)
    with pytest.raises(InputError, match="setting run_calls must not be negative"):
        load_settings({}, data, {"run_calls": -3}, folder=own)


def test_a_mark_of_byte_order_and_other_line_ends_do_no_harm(data: Path) -> None:
    (data / FILE).write_bytes('\ufeff[settings]\r\nmode = "review" # 审阅\r\n'.encode())
    assert read_file(data / FILE) == {"mode": "review"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[settings]\nmode = 'auto' # 茶".encode("gb18030"), "is not UTF-8; save it as UTF-8"),
        (b"#" * (MAX_BYTES + 1), "is larger than 1 MiB"),
    ],
)
def test_bytes_that_are_no_small_text_are_refused(data: Path, content: bytes, said: str) -> None:
    (data / FILE).write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_file(data / FILE)


def test_a_folder_or_a_pipe_in_place_of_the_file_is_refused_at_once(own: Path, data: Path) -> None:
    (data / FILE).mkdir()
    with pytest.raises(InputError, match="is not a file"):
        read_file(data / FILE)
    if sys.platform != "win32":
        os.mkfifo(own / FILE)
        with pytest.raises(InputError, match="is not a file"):
            read_file(own / FILE)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_a_file_without_rights_is_told(data: Path) -> None:
    path = write(data, "[settings]\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(InputError, match=r"can't be read: .*; check its owner and rights"):
        read_file(path)


@settings(max_examples=100)
@given(
    st.text(st.sampled_from("[]settings\n='\"rulesn1.#{}, modeaut") | st.characters(), max_size=40)
)
def test_any_content_is_settings_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        found = read_file(path)
    except InputError as error:
        assert re.match(re.escape(str(path)), str(error))  # noqa: PT017 - most texts are refused
    else:
        assert set(found) <= set(NAMES)
