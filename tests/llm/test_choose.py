"""One setting names the model; what is wrong with it is said in words."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
from forms_in_use import request

from memoranda.errors import InputError, ModelTimeoutError, ModelUnavailableError
from memoranda.llm.choose import choose
from memoranda.llm.command import CommandModel, prompt_of, split
from memoranda.llm.endpoint import EndpointModel
from memoranda.llm.keys import Key, redacted

SECRET = "sk-0123456789abcdef"  # noqa: S105 - of nobody
PYTHON = sys.executable


@pytest.mark.parametrize("spec", [None, "", "rules", " rules "])
def test_without_a_model_the_rules_do_it(spec: str | None) -> None:
    assert choose(spec, {}) is None


@pytest.mark.parametrize(
    ("spec", "environ", "url"),
    [
        ("openai:gpt-x", {"OPENAI_API_KEY": SECRET}, "https://api.openai.com/v1"),
        (
            "openai:a:7b",
            {"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"},
            "http://127.0.0.1:11434/v1",
        ),
        ("anthropic:c-1", {"ANTHROPIC_API_KEY": SECRET}, "https://api.anthropic.com"),
        ("anthropic:c-1", {"ANTHROPIC_BASE_URL": "https://g.example"}, "https://g.example"),
    ],
)
def test_a_setting_names_provider_and_model(spec: str, environ: dict[str, str], url: str) -> None:
    model = choose(spec, environ)
    assert isinstance(model, EndpointModel)
    assert model.name == spec
    assert model.address.url == url
    assert SECRET not in repr(model) + str(vars(model))
    with pytest.raises(TypeError):
        pickle.dumps(model)


@pytest.mark.parametrize(
    ("spec", "error", "hint"),
    [
        ("gpt-x", InputError, "openai:NAME"),
        ("openai", InputError, "openai:NAME"),
        ("openai:", InputError, "openai:NAME"),
        ("rules:x", InputError, "rules"),
        ("command:", InputError, "command:PROGRAM"),
        ("command:a 'b", InputError, "can't be read"),
        ("openai:gpt-x", ModelUnavailableError, "OPENAI_API_KEY"),
        ("anthropic:c-1", ModelUnavailableError, "ANTHROPIC_API_KEY"),
    ],
)
def test_a_wrong_setting_is_told_with_what_to_do(
    spec: str, error: type[Exception], hint: str
) -> None:
    with pytest.raises(error, match=hint):
        choose(spec, {})


def test_a_key_in_the_wrong_place_is_not_repeated() -> None:
    for spec in (SECRET, f"{SECRET}:x", "openai:gpt-x"):
        with pytest.raises(InputError) as caught:
            choose(spec, {"OPENAI_API_KEY": f"{SECRET}\n{SECRET}"})
        assert SECRET[:6] not in str(caught.value)


def test_a_key_is_not_shown() -> None:
    key = Key(SECRET, "OPENAI_API_KEY")
    assert repr(key) == "Key(OPENAI_API_KEY)"
    assert key.redact(f"wrong: {SECRET}!") == "wrong: [key]!"
    assert redacted("a short secret", ("a", None, "")) == "a short secret"


def test_a_command_is_cut_into_words_without_a_shell() -> None:
    model = choose("command:say --to 'two words' $HOME; rm *", {})
    assert isinstance(model, CommandModel)
    assert model.words == ("say", "--to", "two words", "$HOME;", "rm", "*")
    assert model.name == "command:say"
    assert split("a b") == ("a", "b")


def test_one_turn_is_the_whole_prompt_and_more_are_told_apart() -> None:
    asked = request("Why?")
    assert prompt_of(asked) == "Be brief.\n\n[user]\nWhy?\n"
    told = prompt_of(request("Why?", schema={"type": "object"}))
    assert told.startswith("Be brief.\n\nReply with one JSON object")
    assert '{"type":"object"}' in told


def run(code: str, *, seconds: float = 5.0, environ: dict[str, str] | None = None) -> str:
    model = CommandModel((PYTHON, "-I", "-c", code), environ=environ or {})
    return model.ask(request(timeout=seconds)).text


def test_a_command_reads_the_prompt_and_writes_the_reply() -> None:
    assert "有什么变化" in run("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())")


def test_a_command_need_not_read_its_prompt() -> None:
    model = CommandModel((PYTHON, "-I", "-c", "print('ok')"), environ={})
    assert model.ask(request("x" * 1_000_000)).text == "ok"


def test_what_a_command_complains_about_is_no_reply() -> None:
    assert run("import sys; sys.stderr.write('x' * 300_000); print('ok')") == "ok"


def test_a_byte_order_mark_before_a_reply_is_dropped() -> None:
    assert run(r"import sys; sys.stdout.buffer.write(b'\xef\xbb\xbf{}\r\n')") == "{}"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "import sys; sys.exit('no credit for sk-0123456789abcdef')",
            "code 1.*no credit for .key.",
        ),
        ("import sys; print('{}'); sys.exit(7)", "code 7 and said nothing"),
        (r"import sys; sys.stdout.buffer.write(b'\xff')", "UTF-8"),
        ("print('x' * 1_100_000)", "1000000 bytes"),
        ("while True: print('x' * 9999)", "1000000 bytes"),
    ],
)
def test_a_command_that_fails_is_told_by_how_it_failed(code: str, said: str) -> None:
    with pytest.raises(ModelUnavailableError, match=said) as caught:
        run(code, environ={"SOME_API_KEY": SECRET})
    assert caught.value.reason == "program"
    assert SECRET not in str(caught.value)


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(ModelUnavailableError, match="can't be started"):
        CommandModel(("no-such-program-here",), environ=dict(os.environ)).ask(request())
    with pytest.raises(ModelUnavailableError, match="can't be started"):
        CommandModel(("a\0b",), environ={}).ask(request())


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_the_whole_group_ends_when_the_time_is_over(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = (
        "import os, pathlib, time;"
        f"pathlib.Path({str(note)!r}).write_text(str(os.getpid()), 'utf-8'); time.sleep(60)"
    )
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-I', '-c', {child!r}]); print('{{}}')"
    with pytest.raises(ModelTimeoutError):  # the child holds the pipe open
        run(code, seconds=1.0)
    pid = int(note.read_text("utf-8"))
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if "Z" in Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2]:
            return
        time.sleep(0.02)
    pytest.fail("the child lives on")


def test_a_command_that_comes_back_to_us_finds_the_rules() -> None:
    code = "import os; print(os.environ['MEMORANDA_MODEL'], os.environ['A'])"
    assert run(code, environ={"MEMORANDA_MODEL": "command:x", "A": "b"}) == "rules b"


def test_importing_the_package_loads_no_model() -> None:
    code = "import sys, memoranda; print([m for m in sys.modules if m.startswith('memoranda.llm')])"
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_choosing_rules_loads_no_network_and_no_prices() -> None:
    code = (
        "import sys; from memoranda.llm.model import Request; from memoranda.llm.typed import ask;"
        "print([m for m in ('http.client', 'ssl', 'genai_prices', 'subprocess') if m in sys.modules])"
    )
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
