"""Write the stubs of what is made from the facade: `aio.pyi` and `rest/client.pyi`.

Run `python docs/make_twins.py` to write them, with `--check` to learn only whether they are current
(exit code 1 if they are not).
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from memoranda import aio
from memoranda.memory import Memory
from memoranda.rest.ways import BY_METHOD, HIDDEN

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "memoranda"
HEAD = "# {told}; made by docs/make_twins.py\n\n"
ASYNC = """
class AsyncMemory:
    memory: Memory
    def __init__(self, memory: Memory, threads: ThreadPoolExecutor | None = None) -> None: ...
    @classmethod
    {open}
    async def close(self) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *_: object) -> None: ...
"""
CLIENT = """
class Client:
    def __init__(self, url: str, token: str, *, timeout: float = 120.0) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
"""


class Source:
    """What the source of a method says: its definition, and where the names in it come from."""

    def __init__(self, method: str) -> None:
        function = inspect.unwrap(getattr(Memory, method))
        function = getattr(function, "__func__", function)
        self.module: ModuleType = sys.modules[function.__module__]
        self.tree = ast.parse(Path(str(self.module.__file__)).read_text(encoding="utf-8"))
        self.definition = next(
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef)
            and node.name == method
            and node.lineno <= function.__code__.co_firstlineno + len(node.decorator_list)
            and (node.end_lineno or 0) >= function.__code__.co_firstlineno
        )

    def imports(self) -> Iterator[tuple[str, str]]:
        """Give (module, name) of every name that the signature uses."""
        parts: list[ast.AST] = [self.definition.args]
        parts += [self.definition.returns] if self.definition.returns else []
        used = {n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    if (alias.asname or alias.name) in used:
                        yield node.module, alias.name
        own = {n.name for n in self.tree.body if isinstance(n, ast.ClassDef)}
        own |= {t.id for n in self.tree.body for t in _targets(n)}
        for name in sorted(used & own):
            yield str(self.module.__name__), name


def _targets(node: ast.stmt) -> list[ast.Name]:
    found = node.targets if isinstance(node, ast.Assign) else []
    found = [node.target] if isinstance(node, ast.AnnAssign) else found
    return [target for target in found if isinstance(target, ast.Name)]


def signature(source: Source, *, hides: bool = False) -> str:
    """Give the parameters and the result of a method, as a stub has them."""
    (arguments,) = (
        node
        for node in ast.parse(ast.unparse(source.definition)).body
        if isinstance(node, ast.FunctionDef)
    )
    args = arguments.args
    args.defaults = [_short(item) for item in args.defaults]
    args.kw_defaults = [None if item is None else _short(item) for item in args.kw_defaults]
    if hides:
        _hide(args)
    returns = ast.unparse(arguments.returns) if arguments.returns else "None"
    return f"({ast.unparse(args)}) -> {returns}"


def _hide(args: ast.arguments) -> None:
    """Take away what no call over HTTP can give; the file of an export has no default, and stays."""
    pairs = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    kept = [pair for pair in pairs if pair[0].arg not in HIDDEN]
    args.kwonlyargs, args.kw_defaults = [p[0] for p in kept], [p[1] for p in kept]
    bare = len(args.args) - len(args.defaults)
    shown = [
        pair
        for pair in zip(args.args[bare:], args.defaults, strict=True)
        if pair[0].arg not in HIDDEN
    ]
    args.args = [*args.args[:bare], *(pair[0] for pair in shown)]
    args.defaults = [pair[1] for pair in shown]


def _short(default: ast.expr) -> ast.expr:
    return default if isinstance(default, ast.Constant) else ast.Constant(value=...)


def twin_of_async(name: str) -> str:
    """Give a method of AsyncMemory."""
    told = signature(Source(name))
    if aio.gives_iterator(name):
        return f"    def {name}{told.replace('-> Iterator[', '-> AsyncIterator[')}: ..."
    return f"    async def {name}{told}: ..."


def twin_of_client(name: str) -> str:
    """Give a method of Client."""
    return f"    def {name}{signature(Source(name), hides=True)}: ..."


def page(told: str, shell: str, names: tuple[str, ...], twin: Callable[[str], str]) -> str:
    """Make a stub: imports, the shell of the class, and a line a method."""
    lines = [twin(name) for name in names]
    body = shell + "\n".join(lines) + "\n"
    words = {n.id for n in ast.walk(ast.parse(body)) if isinstance(n, ast.Name)}
    found: dict[str, set[str]] = {}
    known = {pair for name in (*names, "open") for pair in Source(name).imports()}
    known |= {
        ("collections.abc", "AsyncIterator"),
        ("concurrent.futures", "ThreadPoolExecutor"),
        ("memoranda.memory", "Memory"),
        ("typing", "Self"),
    }
    for module, name in known:
        if name in words:
            found.setdefault(module, set()).add(name)
    imports = [f"from {m} import {', '.join(sorted(found[m]))}" for m in sorted(found)]
    return _formatted(HEAD.format(told=told) + "\n".join(imports) + "\n" + body)


def _formatted(text: str) -> str:
    """Sort imports and break lines as the house does."""
    for command in (["check", "--select", "I", "--fix", "-q"], ["format", "-q"]):
        done = subprocess.run(  # noqa: S603 - our own tool on our own text
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", "src/memoranda/x.pyi", "-"],
            input=text, capture_output=True, encoding="utf-8", check=True, cwd=PACKAGE.parents[1],
        )  # fmt: skip
        text = done.stdout
    return text


def pages() -> dict[Path, str]:
    """Make both stubs."""
    opening = (
        f"async def open{signature(Source('open')).replace('-> Memory', '-> AsyncMemory')}: ..."
    )
    return {
        PACKAGE / "aio.pyi": page(
            "Memory for asynchronous programs",
            ASYNC.format(open=opening),
            aio.names(),
            twin_of_async,
        ),
        PACKAGE / "rest" / "client.pyi": page(
            "A client of the REST door", CLIENT, tuple(sorted(BY_METHOD)), twin_of_client
        ),
    }


def main(arguments: list[str]) -> int:
    """Write the stubs, or with `--check` only compare them."""
    made = pages()
    if arguments == ["--check"]:
        return int(any(not p.exists() or p.read_text(encoding="utf-8") != made[p] for p in made))
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
