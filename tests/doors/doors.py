"""One memory behind each of its doors, spoken to in the same words: library, command line, MCP, REST."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Protocol

import anyio
from mcp import Client as Agent
from mcp_types import CallToolResult, ElicitResult

from cli_command import Command
from memoranda import Memory, Settings, errors
from memoranda.mcp.seal import Seal
from memoranda.mcp.server import serve
from memoranda.rest.client import Client
from memoranda.values import plain
from served import Served, token_for

Json = Any


class Refused(Exception):  # noqa: N818 - what a claim looks for
    """A door refused: it says so as its callers read it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        """`input`, `missing`, or `other`."""
        self.text = text


class Door(Protocol):
    """What a claim can do through any door."""

    name: str

    def do(self, what: str, **given: Any) -> Json: ...


def told(error: errors.MemorandaError) -> Refused:
    kind = {errors.InputError: "input", errors.NotFoundError: "missing"}
    found = next((name for base, name in kind.items() if isinstance(error, base)), "other")
    return Refused(found, str(error))


class Facade:
    """The library, or whatever has its methods: the client of the REST door."""

    def __init__(self, name: str, memory: Any) -> None:
        self.name = name
        self.memory = memory

    def do(self, what: str, **given: Any) -> Json:
        try:
            found = getattr(self.memory, what)(**given)
        except errors.MemorandaError as error:
            raise told(error) from error
        return plain(list(found)) if what in {"log", "ask_events"} else plain(found)


class Terminal:
    """The command line, in this process."""

    name = "cli"
    _COMMANDS: ClassVar = {
        "search": ("search", "query"),
        "ask": ("ask", "question"),
        "context": ("context", "query"),
        "get": ("get", "ref"),
        "current": ("show", "CURRENT"),
        "documents": ("list",),
        "document": ("show", "ref"),
        "read_lines": ("read", "document", "first", "last"),
        "grep": ("grep", "pattern"),
        "facts": ("facts", "subject"),
        "history": ("history", "ref"),
        "correct": ("correct", "seq", "text"),
        "retract": ("retract", "seq"),
        "plan": ("plan", "show", "plan_id"),
        "approve": ("plan", "approve", "plan_id"),
        "reject": ("plan", "reject", "plan_id"),
        "undo": ("undo", "plan_id"),
        "status": ("status",),
        "log": ("log",),
        "blame": ("blame", "document"),
        "diff": ("diff", "document"),
        "resolve": ("cite", "citation"),
        "export": ("export", "target"),
        "import_archive": ("import-archive", "source"),
        "check": ("check",),
        "rebuild": ("rebuild",),
        "lint": ("lint",),
        "backup": ("backup",),
        "consolidate": ("consolidate",),
    }
    _EMPTY = frozenset({"ask", "search", "context", "grep"})
    """What prints that there is nothing, with an exit code of its own."""

    def __init__(self, root: Path, user: str, **env: str) -> None:
        self._run = Command(root)
        self._env = {"MEMORANDA_USER": user, **env}

    def do(self, what: str, **given: Any) -> Json:
        argv, text = self._argv(what, given)
        result = self._run(*argv, given=text, **self._env)
        kind = {0: "", 2: "input", 3: "missing"}.get(result.exit_code, "other")
        partly = kind and result.stdout.strip() and what in {*self._EMPTY, "import_lines"}
        if kind and not partly:
            raise Refused(kind, result.stderr)
        return self._read(what, result.stdout)

    def _argv(self, what: str, given: dict[str, Any]) -> tuple[list[str], str | None]:
        if what == "add":
            content = given.pop("content")
            return ["add", "--json", *self._flags(given), "--", content], None
        if what == "import_lines":
            return ["import", "--json", "-"], "\n".join(given["lines"])
        if what == "plans":
            return ["plan", "list", "--json", *self._flags(given)], None
        if what == "forget":
            yes = [] if given.get("dry_run") else ["--yes"]
            return ["forget", "--json", *yes, *self._flags(given)], None
        command, *names = self._COMMANDS[what]
        words = [str(given.pop(name)) for name in names if name in given]
        fixed = [name for name in names if name in {"show", "approve", "reject", "CURRENT"}]
        return [command, *fixed, "--json", *self._flags(given), "--", *words], None

    def _flags(self, given: dict[str, Any]) -> list[str]:
        found: list[str] = []
        for name, value in given.items():
            flag = f"--{name.replace('_', '-')}"
            found += [flag] if value is True else [] if value is False else [flag, str(value)]
        return found

    def _read(self, what: str, out: str) -> Json:
        if what == "log":
            return [json.loads(line) for line in out.splitlines()]
        found = json.loads(out)
        if what == "context":
            return found["text"]
        if what == "current":
            return [entry for block in found["blocks"] for entry in block["entries"]]
        return found


class Agents:
    """The MCP door, through a client of the official SDK, in this process; a person says yes."""

    name = "mcp"

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def do(self, what: str, **given: Any) -> Json:
        work = getattr(self, f"_{what}", None)
        return work(**given) if work else self._call(what, **given)

    def _call(self, tool: str, **given: Any) -> Json:
        found: CallToolResult = anyio.run(self._talk, tool, given)
        if found.is_error:
            text = str(found.content[0].text)  # type: ignore[union-attr]
            missing = " in this scope" in text or "was forgotten" in text
            raise Refused("missing" if missing else "input", text)
        return found.structured_content

    async def _talk(self, tool: str, given: dict[str, Any]) -> CallToolResult:
        async def yes(_: Any, __: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={"agreed": True})

        server = serve(self._memory, Seal(b"a secret of tests"), version="1")
        async with Agent(server, cache=None, elicitation_callback=yes) as agent:
            return await agent.call_tool(tool, given)

    def _add(self, content: str, **given: Any) -> Json:
        return self._call("remember", text=content, source=given.pop("source", "user"), **given)

    def _search(self, **given: Any) -> Json:
        found = self._call("search", **given)
        return {**found, "evidence": found["results"]}

    def _context(self, **given: Any) -> Json:
        return self._call("context", **given)["text"]

    def _get(self, ref: int | str) -> Json:
        found = self._call("fetch", id=str(ref))
        return {**found.get("metadata", {}), "text": found["text"]}

    def _document(self, ref: str) -> Json:
        found = self._call("fetch", id=ref)
        return {"header": {"title": found["title"]}, "markdown": found["text"]}

    def _current(self) -> Json:
        text = self._call("fetch", id="CURRENT")["text"]
        return [{"text": line.partition("user: ")[2]} for line in text.splitlines()]

    def _documents(self) -> Json:
        return self._call("list_documents")["found"]["documents"]

    def _read_lines(self, **given: Any) -> Json:
        return self._call("read_lines", **given)["found"]

    def _grep(self, **given: Any) -> Json:
        return self._call("grep", **given)["found"]

    def _facts(self, **given: Any) -> Json:
        return self._call("facts", **given)["found"]

    def _history(self, ref: int | str) -> Json:
        return self._call("history", ref=str(ref))["changes"]

    def _consolidate(self) -> Json:
        return self._call("consolidate")["receipts"]

    def _plans(self, state: str) -> Json:
        assert state == "pending"
        return self._call("plans")["plans"]

    def _plan(self, plan_id: str) -> Json:
        return self._call("plans", plan_id=plan_id)["plans"][0]

    def _approve(self, plan_id: str) -> Json:
        return self._call("plans", plan_id=plan_id, decision="approve")["decided"]

    def _reject(self, plan_id: str) -> Json:
        return self._call("plans", plan_id=plan_id, decision="reject")["decided"]

    def _forget(self, *, dry_run: bool = False, **given: Any) -> Json:
        seen = self._call("forget", **given)
        if dry_run:
            return {**seen["receipt"], "dry_run": True}
        return self._call("forget", confirm=seen["confirm"], **given)["receipt"]


def lines(found: Json) -> list[str]:
    """The texts of what a search showed, best first."""
    return [entry["text"] for item in found["evidence"] for entry in item["entries"]]


class House:
    """Opens a memory of its own behind a door."""

    def __init__(self, name: str, root: Path, running: Callable[[dict[str, Any]], Served]) -> None:
        self.name = name
        self._root = root
        self._running = running
        self._open: list[Any] = []

    def door(self, user: str = "", **settings: Any) -> Door:
        """A door to an empty memory; with a user's name, to that user's on the same root."""
        whose = user or f"u{secrets.token_hex(4)}"
        if self.name == "rest":
            served = self._running(settings)
            client = Client(served.url, token_for(served.gate, user=f"{self._mark}{whose}"))
            self._open.append(client)
            return Facade("rest", client)
        if self.name == "cli":
            env = {f"MEMORANDA_{key.upper()}": str(value) for key, value in settings.items()}
            return Terminal(self._root, whose, **env)
        memory = Memory.open(self._root, user=whose, settings=Settings(**settings))
        self._open.append(memory)
        return Facade("library", memory) if self.name == "library" else Agents(memory)

    @property
    def _mark(self) -> str:
        """Part the users of one test from those of another: they share a server."""
        return f"{abs(hash(str(self._root))) % 10**8}-{os.getpid()}-"

    def close(self) -> None:
        for item in self._open:
            with suppress(errors.MemorandaError):
                item.close()
