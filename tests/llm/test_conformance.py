"""One suite that every model passes: adapters over real sockets and pipes, and the doubles."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from fake_endpoint import FakeEndpoint, Step
from forms_in_use import FORM, OFFERED, RIGHT, WANTED, request

from memoranda.errors import (
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    ReplyError,
)
from memoranda.llm.anthropic import anthropic
from memoranda.llm.command import CommandModel
from memoranda.llm.doubles import (
    FaultyModel,
    ObedientModel,
    RecordedModel,
    RecordingModel,
    ScriptedModel,
)
from memoranda.llm.model import Model
from memoranda.llm.openai import openai
from memoranda.llm.replies import value_of
from memoranda.llm.typed import ask, repair

SECRET = "sk-very-secret-0123456789"  # noqa: S105 - of nobody
HANG = "\0hang"
DIE = "\0die"
SCRIPT = """
import pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
prompt = sys.stdin.buffer.read().decode("utf-8")
at = 0
while True:
    try:
        (folder / f"asked{at}").touch(exist_ok=False)
        break
    except FileExistsError:
        at += 1
replies = sorted(folder.glob("reply*"))
said = replies[min(at, len(replies) - 1)].read_bytes()
if said == b"\\0hang":
    time.sleep(60)
if said == b"\\0die":
    sys.stderr.write("no more credit for sk-very-secret-0123456789")
    sys.exit(3)
sys.stderr.write("a warning that is no part of the reply")
sys.stdout.buffer.write(said)
"""

Rig = Callable[..., Model]


def scripted(*replies: str) -> ScriptedModel:
    """Say the replies in order, the last one again and again."""
    count = iter(range(10**6))

    def said(_: object) -> str | ModelError:
        reply = replies[min(next(count), len(replies) - 1)]
        if reply == HANG:
            return ModelTimeoutError("scripted", 1)
        return ModelUnavailableError("scripted", "program", "it died") if reply == DIE else reply

    return ScriptedModel(said)


def http(kind: str, stack: ExitStack, replies: tuple[str, ...]) -> Model:
    def step(reply: str) -> Step:
        if reply == HANG:
            return Step(fault="hang")
        return (
            Step(status=403, error=f"no credit for {SECRET}") if reply == DIE else Step(text=reply)
        )

    endpoint = stack.enter_context(
        FakeEndpoint("openai" if kind == "openai" else "anthropic", [step(r) for r in replies])
    )
    make = openai if kind == "openai" else anthropic
    return make("fake-1", base_url=endpoint.url, key=SECRET)


def command(folder: Path, replies: tuple[str, ...]) -> Model:
    script = folder / "say.py"
    script.write_text(SCRIPT, encoding="utf-8")
    for number, reply in enumerate(replies):
        (folder / f"reply{number}").write_bytes(reply.encode())
    words = (sys.executable, "-I", str(script), str(folder))
    return CommandModel(words, environ={"SOME_API_KEY": SECRET})


def recorded(replies: tuple[str, ...]) -> Model:
    """Record what a scripted model says to the requests of this suite, and play it."""
    recording = RecordingModel(scripted(*replies))
    asked = [request(), request(schema=FORM.schema())]
    for one in asked:
        if replies[0] not in {HANG, DIE}:
            recording.model = scripted(*replies)
            first = recording.ask(one)
            if one.schema and len(replies) > 1:
                try:
                    FORM.read(value_of(first), OFFERED)
                except (ReplyError, ModelRefusedError) as error:
                    if isinstance(error, ReplyError):
                        recording.ask(repair(one, first, error))
    return RecordedModel(recording.lines)


@pytest.fixture(
    params=["openai", "anthropic", "command", "scripted", "recorded", "obedient", "faulty"]
)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    kind = request.param
    with ExitStack() as stack:

        def make(*replies: str) -> Model:
            match kind:
                case "openai" | "anthropic":
                    return http(kind, stack, replies)
                case "command":
                    return command(tmp_path, replies)
                case "scripted":
                    return scripted(*replies)
                case "recorded":
                    return recorded(replies)
                case "obedient":
                    return ObedientModel(scripted(*replies))
                case _:
                    return FaultyModel(scripted(*replies), seed=1, rate=0.0)

        make.kind = kind  # type: ignore[attr-defined]
        yield make


TEXTS = ["Two ferries.", "渡轮周二停开。🛳", "a\n\nb\n- c", 'say "no"', "e\u0301 \u200d x"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_as_it_was_said(rig: Rig, text: str) -> None:
    reply = rig(text).ask(request())
    assert reply.text == text
    assert reply.parsed is None
    assert reply.stop == "end"
    assert reply.calls == 1
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens > 0
    assert reply.model


def test_a_typed_reply_fits_its_form(rig: Rig) -> None:
    got = ask(rig(json.dumps(RIGHT, ensure_ascii=False)), request(), FORM, offered=OFFERED)
    assert got.value == WANTED
    assert got.repaired is None
    assert got.reply.parsed == RIGHT
    assert got.reply.calls == 1


def test_a_reply_of_the_wrong_form_is_repaired_once(rig: Rig) -> None:
    wrong = json.dumps({"operations": [{"op": "erase", "entries": ["e1"]}]})
    got = ask(rig(wrong, json.dumps(RIGHT)), request(), FORM, offered=OFFERED)
    assert got.value == WANTED
    assert got.repaired == "unknown_action"
    assert got.reply.calls == 2


def test_a_second_wrong_reply_is_a_typed_failure(rig: Rig) -> None:
    wrong = json.dumps({"operations": [{"op": "keep", "entries": ["e9"]}]})
    with pytest.raises(ReplyError, match="'e9'") as caught:
        ask(rig(wrong, wrong), request(), FORM, offered=OFFERED)
    assert caught.value.reason == "unknown_alias"
    assert caught.value.calls == 2


def test_a_refusal_is_not_asked_again(rig: Rig) -> None:
    with pytest.raises(ModelRefusedError) as caught:
        ask(rig("抱歉，我无法处理这个请求。", "{}"), request(), FORM, offered=OFFERED)
    assert caught.value.calls == 1


def test_what_hangs_is_given_up_in_time(rig: Rig) -> None:
    if rig.kind == "recorded":  # type: ignore[attr-defined]
        pytest.skip("a recording never hangs")
    begun = time.monotonic()
    with pytest.raises(ModelTimeoutError) as caught:
        rig(HANG).ask(request(timeout=0.4))
    assert time.monotonic() - begun < 3
    assert caught.value.calls == 1


def test_what_fails_says_so_without_its_key(rig: Rig) -> None:
    if rig.kind == "recorded":  # type: ignore[attr-defined]
        pytest.skip("a recording holds replies only")
    model = rig(DIE)
    with pytest.raises(ModelUnavailableError) as caught:
        model.ask(request())
    shown = f"{caught.value} {caught.value!r} {model!r} {model.name} {vars(caught.value)}"
    assert SECRET not in shown
    assert caught.value.calls == 1


def test_threads_may_ask_side_by_side(rig: Rig) -> None:
    model = rig(json.dumps(RIGHT))
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda _: ask(model, request(), FORM, offered=OFFERED), range(8)))
    assert [each.value for each in got] == [WANTED] * 8
