"""One self-contained HTML page of all results in a folder: tables, plots, confidence intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from evals.forms import Row

BAR, STEP, LEFT, WIDE = 16, 24, 190, 620
STYLE: Final = Path(__file__).with_name("report.css")


def write(folder: Path, target: Path) -> int:
    """Make the page of all results in a folder; give how many there were."""
    results = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))
    ]
    results = [result for result in results if "suite" in result and "bounds" in result]
    if results:
        target.write_text(page(results), encoding="utf-8")
    return len(results)


def page(results: Sequence[Row]) -> str:
    """Make the page."""
    style = STYLE.read_text(encoding="utf-8")
    names = [_title(result) for result in results]
    links = "".join(f'<a href="#r{number}">{escape(name)}</a>' for number, name in enumerate(names))
    sections = "".join(
        _section(number, name, result)
        for number, (name, result) in enumerate(zip(names, results, strict=True))
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Memoranda: evaluations</title><style>{style}</style></head><body><main>"
        "<h1>Evaluations</h1>"
        f'<p class="soft">{len(results)} runs. Bars show means, thin lines their 95 % intervals '
        "(Wilson for shares of right and wrong, bootstrap for the rest).</p>"
        f"<nav>{links}</nav>{_overview(names, results)}{sections}</main></body></html>\n"
    )


def _title(result: Row) -> str:
    settings = result.get("settings", {})
    parts = [result["suite"], result.get("model"), settings.get("reader")]
    parts += ["vectors"] if settings.get("vectors") else []
    parts += ["held-out half"] if settings.get("half") == "held" else []
    parts += [f"limit {settings['limit']}"] if settings.get("limit") else []
    return ", ".join(str(part) for part in parts if part)


def _overview(names: Sequence[str], results: Sequence[Row]) -> str:
    rows = []
    for number, (name, result) in enumerate(zip(names, results, strict=True)):
        met = sum(row["met"] for row in result["bounds"])
        total = len(result["bounds"])
        kind = "ok" if met == total else "no"
        rows.append(
            f'<tr><td><a href="#r{number}">{escape(name)}</a></td>'
            f'<td class="{kind if total else ""}">{f"{met} of {total}" if total else "none stated"}</td>'
            f"<td>{result.get('seconds', '')}</td><td>{len(result.get('rows', ()))}</td></tr>"
        )
    return (
        '<div class="wrap"><table><tr><th>run</th><th>bounds met</th><th>seconds</th>'
        f"<th>rows</th></tr>{''.join(rows)}</table></div>"
    )


def _section(number: int, name: str, result: Row) -> str:
    facts = [
        f"version {result.get('version', '?')}",
        f"data {result.get('data') or 'not hashed'}",
        f"{result.get('seconds', '?')} s",
        f"{result['cpu_seconds']} s of processor time" if "cpu_seconds" in result else "",
        f"{result['resumed']:,} rows of an earlier run" if result.get("resumed") else "",
        result.get("machine", ""),
    ]
    told = escape(", ".join(filter(None, facts)))
    parts = [f'<section id="r{number}"><h2>{escape(name)}</h2><p class="soft">{told}</p>']
    if result["bounds"]:
        parts.append(_bounds(result["bounds"]))
    for title, table in (result.get("tables") or _plain(result)).items():
        if table:
            parts.append(f"<h3>{escape(title)}</h3>{plots(table)}{table_html(table)}")
    return "".join([*parts, "</section>"])


def _plain(result: Row) -> dict[str, list[Row]]:
    """Give the rows of a suite that makes no tables of its own, where they are few and flat."""
    rows = result.get("rows", [])
    flat = [row for row in rows if isinstance(row, dict)]
    few = len(flat) <= 60
    return {"rows": flat} if few else {}


def _bounds(bounds: Iterable[Row]) -> str:
    rows = "".join(
        f"<tr><td>{escape(row['figure'])}</td><td>{_number(row['value'])}</td>"
        f"<td>{escape(row['bound'])}</td>"
        f'<td class="{"ok" if row["met"] else "no"}">{"kept" if row["met"] else "missed"}</td></tr>'
        for row in bounds
    )
    head = "<tr><th>bound</th><th>value</th><th>asked</th><th></th></tr>"
    return f'<div class="wrap"><table>{head}{rows}</table></div>'


def table_html(table: Sequence[Row]) -> str:
    """Make a table of rows; the columns are all keys, in the order in which they first come."""
    columns = [key for key in dict.fromkeys(k for row in table for k in row) if key not in _INSIDE]
    head = "".join(f"<th>{escape(str(column))}</th>" for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(row.get(column))}</td>' for column in columns)}</tr>"
        for row in table
    )
    return f'<div class="wrap"><table><tr>{head}</tr>{body}</table></div>'


def _cell(value: Any) -> str:  # noqa: ANN401 - JSON
    if isinstance(value, dict) and "low" in value:
        span = f'<span class="soft">[{value["low"]:.2f}, {value["high"]:.2f}]</span>'
        return f"{value['value']:.3f} {span}"
    if isinstance(value, (list, dict)):
        return escape(f"{len(value)} items") if len(str(value)) > 60 else escape(str(value))
    return _number(value)


def _number(value: Any) -> str:  # noqa: ANN401 - JSON
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    return "" if value is None else escape(str(value))


# --- plots ------------------------------------------------------------------------------------


def plots(table: Sequence[Row]) -> str:
    """Draw each figure that has intervals, and each distribution of documents, as bars."""
    figures = list(
        dict.fromkeys(
            key for row in table for key, value in row.items()
            if isinstance(value, dict) and "low" in value
        )
    )  # fmt: skip
    shown = figures if len(figures) <= 3 else [f for f in figures if f in _FIRST] or figures[:3]
    drawn = [f'<div class="wrap">{_bars(figure, table)}</div>' for figure in shown]
    if "median" in (table[0] if table else {}):
        drawn.append(f'<div class="wrap">{_boxes(table)}</div>')
    return "".join(drawn)


_INSIDE: Final = frozenset({"unit", "counts"})
"""Of rows, not for readers."""
_FIRST: Final = ("hit@500", "hit@2000", "answer_hit", "revision", "accuracy")


def _bars(figure: str, table: Sequence[Row]) -> str:
    rows = [(_label(row), row[figure]) for row in table if isinstance(row.get(figure), dict)]
    height = len(rows) * STEP + 44
    wide = WIDE - LEFT - 60
    parts = [_open(figure, height)]
    for level in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = LEFT + level * wide
        parts.append(f'<line class="g" x1="{x}" x2="{x}" y1="24" y2="{height - 18}"/>')
        parts.append(
            f'<text class="s" x="{x}" y="{height - 4}" text-anchor="middle">{level:g}</text>'
        )
    for number, (label, value) in enumerate(rows):
        y = 26 + number * STEP
        parts += _bar(label, value, y, wide)
    return "".join([*parts, "</svg>"])


def _bar(label: str, value: Row, y: int, wide: int) -> list[str]:
    mean, low, high = value["value"], value["low"], value["high"]
    size, left, right = (round(part * wide, 1) for part in (mean, low, high))
    ends = f'x1="{LEFT + left}" x2="{LEFT + right}" y1="{y + BAR / 2}" y2="{y + BAR / 2}"'
    return [
        f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(label)}</text>',
        f'<rect class="b" x="{LEFT}" y="{y}" width="{size}" height="{BAR}" rx="2"/>',
        f'<line class="i" {ends}/>',
        f'<text x="{LEFT + wide + 10}" y="{y + 12}">{mean:.3f}</text>',
    ]


def _boxes(table: Sequence[Row]) -> str:
    """Draw quartiles and the 95th percentile of document sizes, a line for each row."""
    most = max(row["p95"] for row in table) or 1
    wide, height = WIDE - LEFT - 60, len(table) * STEP + 44
    parts = [_open("tokens of documents: quartiles, median, 95th percentile", height)]
    for number, row in enumerate(table):
        y = 26 + number * STEP
        low, middle, high, top = (
            round(LEFT + row[name] / most * wide, 1) for name in ("p25", "median", "p75", "p95")
        )
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(_label(row))}</text>',
            f'<line class="i" x1="{low}" x2="{top}" y1="{y + 8}" y2="{y + 8}"/>',
            f'<rect class="b" x="{low}" y="{y}" width="{max(1, high - low)}" height="{BAR}" rx="2"/>',
            f'<line class="i" x1="{middle}" x2="{middle}" y1="{y}" y2="{y + BAR}"/>',
            f'<text x="{LEFT + wide + 10}" y="{y + 12}">{row["documents"]}</text>',
        ]
    parts.append(f'<text class="s" x="{LEFT}" y="{height - 4}">0</text>')
    end = LEFT + wide
    parts.append(
        f'<text class="s" x="{end}" y="{height - 4}" text-anchor="end">{most:,} tokens; documents at '
        "the right</text>"
    )
    return "".join([*parts, "</svg>"])


def _open(title: str, height: int) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {height}" width="{WIDE}" role="img" aria-label="{escape(title)}">'
        f'<text class="s" x="{LEFT}" y="14">{escape(title)}</text>'
    )


def _label(row: Row) -> str:
    words = [
        str(value)
        for key, value in row.items()
        if key in {"set", "split", "method", "system", "kind", "neighbours"}
    ]
    text = " ".join(words)
    return text if len(text) <= 30 else text[:29] + "…"
