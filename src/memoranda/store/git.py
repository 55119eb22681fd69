"""The program git, run so that nothing that a repository's configuration names is run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from memoranda.errors import StoreError

GIT = ".git"
SECONDS = 60.0
EMAIL = "memoranda@localhost"
_SAFE = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "protocol.allow=never",
    "gc.auto=0",
    "user.name=memoranda",
    f"user.email={EMAIL}",
)
_WHO = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "memoranda"), ("EMAIL", EMAIL))
}


class Git:
    """Runs git on the repository of one folder.

    Args:
        root: the folder that holds `.git`.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def asked(self, *words: str) -> str:
        """Run git where failing means no; gives "" then."""
        try:
            return self.run(*words)
        except StoreError:
            return ""

    def run(self, *words: str, given: bytes = b"", environ: Mapping[str, str] | None = None) -> str:
        """Run git in the repository, and give what it prints.

        Raises:
            StoreError: it ended with a fault, or is not installed.
            subprocess.TimeoutExpired: it took too long.
        """
        return self.call([*self._place(), *words], given, environ)

    def call(
        self, words: Sequence[str], given: bytes = b"", environ: Mapping[str, str] | None = None
    ) -> str:
        """Run git with the safe settings alone, as `run` does."""
        try:
            done = subprocess.run(  # noqa: S603 - our own words, no shell
                _command(words),
                input=given,
                capture_output=True,
                check=False,
                timeout=SECONDS,
                cwd=self.root,
                env={**_clean(), **_WHO, **(environ or {})},
            )
        except FileNotFoundError as error:
            raise _missing() from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
            raise StoreError(said or f"ended with {done.returncode}")
        return done.stdout.decode("utf-8", "surrogateescape")

    @contextmanager
    def printing(self, *words: str) -> Iterator[IO[bytes]]:
        """Read what git prints while it runs.

        Raises:
            StoreError: it ended with a fault, or is not installed.
        """
        with self._running(words, reads=False) as running:
            if running.stdout is None:
                raise StoreError("git gives nothing to read")
            yield running.stdout

    @contextmanager
    def taking(self, *words: str) -> Iterator[IO[bytes]]:
        """Write to git while it runs.

        Raises:
            StoreError: it ended with a fault, or is not installed.
        """
        with self._running(words, reads=True) as running:
            if running.stdin is None:
                raise StoreError("git takes nothing")
            yield running.stdin

    @contextmanager
    def _running(self, words: Sequence[str], *, reads: bool) -> Iterator[subprocess.Popen[bytes]]:
        try:
            running = subprocess.Popen(  # noqa: S603 - our own words, no shell
                _command([*self._place(), *words]),
                stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if reads else subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self.root,
                env={**_clean(), **_WHO},
            )
        except FileNotFoundError as error:
            raise _missing() from error
        try:
            yield running
        except BaseException:
            running.kill()
            raise
        finally:
            for pipe in (running.stdin, running.stdout):
                if pipe is not None:
                    pipe.close()
            code = running.wait(SECONDS)
        if code:
            raise StoreError(f"git {words[0]} ended with {code}")

    def _place(self) -> tuple[str, str]:
        return (f"--git-dir={self.root / GIT}", f"--work-tree={self.root}")


def _command(words: Sequence[str]) -> list[str]:
    return ["git", *(part for value in _SAFE for part in ("-c", value)), *words]


def _missing() -> StoreError:
    return StoreError("the program is not installed; install it, or set git to false")


def _clean() -> dict[str, str]:
    """Give the environment without anything of git's: no other repository, no other configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    off = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    return {**kept, **off, "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
