"""Write the table of modules in house.md anew, from the first sentence of each docstring.

Run `python docs/make_house.py` to write it, with `--check` to learn only whether it is current
(exit code 1 if it is not).
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

BEGIN = "<!-- modules: made by docs/make_house.py -->"
END = "<!-- end of modules -->"
FLOORS = (
    "__init__",
    "__main__",
    "cli",
    "rest",
    "web",
    "mcp",
    "install",
    "memory",
    "write",
    "read",
    "store",
    "llm",
    "text",
)
ROOT = Path(__file__).resolve().parent.parent


def first_sentence(source: str) -> str:
    """Give the first sentence of a module's docstring, on one line; empty if there is none."""
    docstring = ast.get_docstring(ast.parse(source)) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    found = re.match(r".+?[.!?](?=\s|$)", paragraph)
    return found.group() if found else paragraph


def floor(module: Path) -> tuple[int, str]:
    """Order modules from the doors down to the ground, then by path."""
    top = module.parts[0].removesuffix(".py")
    known = FLOORS.index(top) if top in FLOORS else len(FLOORS)
    return known, module.as_posix()


def table(package: Path) -> str:
    """Make the table of all modules of a package, one row each."""
    rows = ["| module | what it is for |", "| --- | --- |"]
    modules = sorted((path.relative_to(package) for path in package.rglob("*.py")), key=floor)
    for module in modules:
        sentence = first_sentence((package / module).read_text(encoding="utf-8"))
        rows.append(f"| `{module.as_posix()}` | {sentence.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def renewed(page: str, modules: str) -> str:
    """Put a table between the two markers of a page.

    Raises:
        ValueError: a marker is missing, or stands twice.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in rest or END in after:
        message = f"the page needs the markers {BEGIN!r} and {END!r}, once each, in this order"
        raise ValueError(message)
    return f"{before}{BEGIN}\n{modules}\n{END}{after}"


def main(arguments: list[str]) -> int:
    """Write the table, or with `--check` only compare it."""
    page = ROOT / "docs" / "house.md"
    found = page.read_text(encoding="utf-8")
    wanted = renewed(found, table(ROOT / "src" / "memoranda"))
    if found == wanted:
        return 0
    if "--check" in arguments:
        sys.stderr.write("docs/house.md is not current; run: python docs/make_house.py\n")
        return 1
    page.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
