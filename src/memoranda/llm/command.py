"""A model behind a command: the prompt on its standard input, the reply on its standard output."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from memoranda.errors import InputError, ModelError, ModelTimeoutError, ModelUnavailableError
from memoranda.llm.keys import redacted
from memoranda.llm.model import Reply, Request, Usage
from memoranda.llm.replies import BYTES, completed
from memoranda.llm.told import prompt_tokens, with_form
from memoranda.text.tokens import count

_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS")


def split(line: str) -> tuple[str, ...]:
    """Cut a command line into its words, as a shell would, but without one.

    Raises:
        InputError: there is no word, or a quote is not closed.
    """
    try:
        words = tuple(shlex.split(line, posix=os.name == "posix"))
    except ValueError as error:
        raise InputError(f"the model's command can't be read: {error}") from None
    if not words:
        raise InputError("the model's command is empty; give command:PROGRAM ARGUMENTS")
    return words


class CommandModel:
    """A model that is a program: `claude -p`, `codex exec`, a script.

    It runs without a shell, in its own group of processes, which is ended when the time is over.
    It is not asked twice: a program that has failed may have done something.
    """

    def __init__(self, words: Sequence[str], *, environ: Mapping[str, str]) -> None:
        self.words = tuple(words)
        self.name = f"command:{os.path.basename(words[0])}"  # noqa: PTH119 - words, no file
        # a program that keeps its own memory with us must not ask itself
        self._environ = {**environ, "MEMORANDA_MODEL": "rules", "PYTHONIOENCODING": "utf-8"}

    def __repr__(self) -> str:
        """Name it by its program; arguments may hold anything."""
        return f"CommandModel({self.name!r})"

    def ask(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            ModelUnavailableError: the program is missing, has failed, writes no UTF-8 or too much.
            ModelTimeoutError: the request's time is over.
        """
        try:
            text = self._run(prompt_of(request).encode("utf-8", "replace"), request.timeout)
        except ModelError as error:
            error.calls = 1
            raise
        usage = Usage(
            input_tokens=prompt_tokens(request), output_tokens=count(text), estimated=True
        )
        return completed(Reply(text=text, usage=usage, model=self.name), request)

    def _run(self, prompt: bytes, seconds: float) -> str:
        process = self._started()
        try:
            return self._read(process, prompt, seconds)
        finally:
            if process.poll() is None:
                _end(process)

    def _read(self, process: subprocess.Popen[bytes], prompt: bytes, seconds: float) -> str:
        errors = _Reader(process.stderr, most=BYTES, enough=lambda: None)
        output = _Reader(process.stdout, most=BYTES, enough=lambda: _end(process))
        feeder = threading.Thread(target=_feed, args=(process.stdin, prompt), daemon=True)
        feeder.start()
        if not _finished(process, (output, errors), time.monotonic() + seconds):
            _end(process)  # at once: what it has started may outlive it
            raise ModelTimeoutError(self.name, seconds)
        if output.cut:
            raise self._failed(f"it wrote over {BYTES} bytes; let it write only the reply")
        if process.returncode:
            code = f"it ended with code {process.returncode}"
            raise self._failed(f"{code}{self._last(errors)}", ours=code)
        try:
            return bytes(output.found).decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            raise self._failed("it did not write UTF-8") from None

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - words of the user's own settings, no shell
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=self._environ,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else None
            detail = f"it can't be started ({(said or 'odd words').lower()}); check the command"
            raise self._failed(detail) from None

    def _failed(self, detail: str, *, ours: str | None = None) -> ModelUnavailableError:
        return ModelUnavailableError(self.name, "program", detail, ours=ours or detail)

    def _last(self, errors: _Reader) -> str:
        """Give the last line of what the program complained about, without its keys."""
        lines = bytes(errors.found).decode("utf-8", "replace").strip().splitlines()
        if not lines:
            return " and said nothing"
        names = [name for name in self._environ if name.upper().endswith(_SECRET)]
        line = redacted(lines[-1], tuple(self._environ[name] for name in names))
        return f"; its last words: {line[:200]!a}"


def prompt_of(request: Request) -> str:
    """Give a request as one text: the turns in order, each under its role, the form told first."""
    turns = with_form(request)
    if len(turns) == 1:
        return turns[0].content
    parts = [
        turn.content if turn.role == "system" else f"[{turn.role}]\n{turn.content}"
        for turn in turns
    ]
    return "\n\n".join(parts) + "\n"


class _Reader:
    """Reads a pipe to its end in a thread; no more than `most` bytes are kept."""

    def __init__(self, pipe: IO[bytes] | None, *, most: int, enough: Callable[[], None]) -> None:
        self.found = bytearray()
        self.cut = False
        self._pipe, self._most, self._enough = pipe, most, enough
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while self._pipe and (piece := self._pipe.read(65_536)):
                self.found += piece[: max(0, self._most + 1 - len(self.found))]
                if len(self.found) > self._most and not self.cut:
                    self.cut = True
                    self._enough()
        if self._pipe:
            self._pipe.close()


def _feed(pipe: IO[bytes] | None, prompt: bytes) -> None:
    """Write the prompt; a program that does not read it to its end may be right."""
    if pipe:
        rest = memoryview(prompt)
        with contextlib.suppress(OSError):
            while rest:
                rest = rest[pipe.write(rest) :]
        with contextlib.suppress(OSError):
            pipe.close()


def _finished(
    process: subprocess.Popen[bytes], readers: tuple[_Reader, ...], deadline: float
) -> bool:
    """Wait for the end of a program and of what it writes; False when the time is over."""
    for reader in readers:
        reader.thread.join(max(0.0, deadline - time.monotonic()))
        if reader.thread.is_alive():
            return False
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
