"""Play four months of talks into a fresh memory, show what happens, and check what is promised."""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import ending
import played
from questions import QUESTIONS, Question
from rich.console import Console
from rich.table import Table
from rich.text import Text

import audit
import by_model
from memoranda import Memory, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memoranda import Claim, Evidence, Proposal
    from memoranda.llm.model import Model
    from memoranda.reports import PlanView

TALK = Path(__file__).with_name("conversation.jsonl")
DIFF = 26
MARKER = ".memoranda-demo"
NOTE = "Made by the demo, which deletes this folder at its next run.\n"
SETTINGS = Settings(current_tokens=600, split_tokens=900, merge_tokens=200, auto=False)
LEAST = {"flushes": 3, "splits": 1, "merges": 1, "supersessions": 9}
DID = ("placed", "created", "updated", "split", "retired", "duplicates", "superseded")


@dataclass(slots=True)
class Stage:
    """Where the demo prints, how fast, what it saw, and which of its promises were broken."""

    console: Console
    pause: float
    seen: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def title(self, words: str) -> None:
        """Open a part."""
        self.console.print()
        self.console.rule(Text(words, style="bold"), align="left")

    def say(self, words: str, style: str = "", *, cut: bool = False) -> None:
        """Print words as they are, whatever brackets they hold; with `cut` on one line."""
        text = Text(words.replace("\n", " / ") if cut else words, style=style)
        self.console.print(text, no_wrap=cut, overflow="ellipsis" if cut else None)

    def promise(self, holds: bool, words: str) -> None:  # noqa: FBT001 - reads as a sentence
        """Show a promise as kept or broken; a broken one fails the demo at its end."""
        if not holds:
            self.broken.append(words)
        self.say(f"  {'ok' if holds else 'BROKEN'}: {words}", "green" if holds else "bold red")


def bar(tokens: int) -> str:
    """Draw how full CURRENT is."""
    full = min(30, tokens * 30 // SETTINGS.current_tokens)
    return f"  CURRENT |{'#' * full:.<30}| {tokens:>4}/{SETTINGS.current_tokens} tokens"


def record(stage: Stage, memory: Memory, lines: Sequence[bytes]) -> None:
    """Add line by line; consolidate each time CURRENT has reached its threshold."""
    shown, placed = -1, 0
    for number, line in enumerate(lines, start=1):
        memory.import_lines([line])
        tokens = memory.status().current_tokens
        due, step = tokens >= SETTINGS.current_tokens, tokens * 4 // SETTINGS.current_tokens
        if stage.pause:
            stage.console.print(f"{bar(tokens)}, event {number}", end="\r")
            time.sleep(stage.pause)
        if due or (not stage.seen["flushes"] and step > shown):
            stage.say(f"{bar(tokens)}, event {number}{', due' if due else ''}")
            shown = step
        if due:
            stage.seen["flushes"] += 1
            memory.consolidate(watch=lambda plan: show_plan(stage, memory, plan))
            placed = number
    left = bar(memory.status().current_tokens)
    stage.say(f"{left}, the last {len(lines) - placed} events stay there for now")


def show_plan(stage: Stage, memory: Memory, plan: Proposal) -> None:
    """Show a plan before it is applied: the first in full, of the others what is new about them."""
    stage.seen["plans"] += 1
    if stage.seen["plans"] == 1:
        show_draft(stage, plan)
        for document_id in {**plan.before, **plan.after}:
            show_diff(stage, plan, document_id)
    done = plan.receipt
    told = ", ".join(f"{what} {len(getattr(done, what))}" for what in DID if getattr(done, what))
    stage.say(f"  flush {stage.seen['flushes']}, {plan.kind}: {told}", "bold yellow")
    for double, first in done.duplicates:
        stage.say(f"    seq {double} repeats seq {first}: one line that names both")
    for older, newer in done.superseded:
        was, now = (getattr(memory.get(seq), "text", "") for seq in (older, newer))
        stage.say(f"    seq {newer:<3} {now}", cut=True)
        stage.say(f"      replaces {older:<3} {was}", cut=True)
    for what, count in (("splits", len(done.split)), ("merges", len(done.retired))):
        if count:
            show_lineage(stage, plan, what[:-1], first=not stage.seen[what])
        stage.seen[what] += count
    stage.seen["supersessions"] += len(done.superseded)


def show_draft(stage: Stage, plan: Proposal) -> None:
    """Show CURRENT as it was cut into segments."""
    stage.say(f"  The draft: {len(plan.window)} entries in {len(plan.draft)} segments", "bold")
    for heading, entries in plan.draft:
        stage.say(f"    {heading}", "bold cyan")
        for entry in entries:
            who = f"{entry.seq:>5}  {(entry.time or '')[:10]}  {entry.source:<9}"
            stage.say(f"{who}  {entry.text}", cut=True)
    stage.say("  The plan as a diff of documents", "bold")


def show_diff(stage: Stage, plan: Proposal | PlanView, document_id: str) -> None:
    """Print the unified diff of one document, its first lines only, and how many are left."""
    old, new = plan.before.get(document_id), plan.after.get(document_id)
    names = f"{document_id} before" if old else "nothing", f"{document_id} after" if new else "gone"
    texts = (old or "").splitlines(), (new or "").splitlines()
    lines = list(difflib.unified_diff(*texts, *names, n=1, lineterm=""))
    for line in lines[:DIFF]:
        stage.say(f"    {line}", {"+": "green", "-": "red"}.get(line[:1], "dim"), cut=True)
    if len(lines) > DIFF:
        stage.say(f"    ... and {len(lines) - DIFF} more lines of this diff", "dim")


def show_lineage(stage: Stage, plan: Proposal, what: str, *, first: bool) -> None:
    """Show which documents a split or a merge made of which; the first time, with the diff."""
    for document_id in {**plan.before, **plan.after}:
        old, new = plan.before.get(document_id), plan.after.get(document_id)
        if old and new and old.count("- <seq=") == new.count("- <seq="):
            continue  # another document, whose links follow
        titles = [line[7:] for line in (new or old or "").splitlines() if line[:7] == "title: "]
        counts = " -> ".join(str((text or "").count("- <seq=")) for text in (old, new))
        fate = "new" if old is None else "merged away" if new is None else "stays"
        stage.say(f"    {what}: {document_id} {' '.join(titles[:1])}: {fate}, entries {counts}")
        if first:
            show_diff(stage, plan, document_id)


def show_library(stage: Stage, memory: Memory) -> None:
    """Print the catalog, then the document that holds most replaced lines."""
    table = Table(box=None, pad_edge=False)
    for name in ("id", "title", "project", "tokens", "entries", "lines", "made of"):
        table.add_column(name, justify="right" if name[-1] == "s" else "left", no_wrap=True)
    best, most = None, 0
    for info in memory.documents():
        view = memory.document(info.document_id)
        origin = [f"split from {info.parent_id}"] if info.parent_id else []
        origin += [f"merged with {', '.join(info.merged_from)}"] if info.merged_from else []
        sizes = (info.token_count, info.entry_count, len(view.markdown.splitlines()))
        names = (info.document_id, info.title, info.project or "-")
        table.add_row(*(Text(str(v)) for v in (*names, *sizes, "; ".join(origin))))
        old = view.markdown.count("\n  - <seq=")
        best, most = (view, old) if old > most else (best, most)
    stage.console.print(table)
    stage.promise(best is not None, "what was replaced is kept, under the line that replaced it")
    if best is not None:
        stage.say(f"\n  {best.header.file}", "bold")
        for line in best.markdown.splitlines():
            stage.say(f"    {line}", {"#": "bold", " ": "dim"}.get(line[:1], ""), cut=True)


def ask(stage: Stage, memory: Memory, question: Question) -> None:
    """Ask, print the best quotes with their citations, and check what must come back."""
    where = f"   [project {question.project}]" if question.project else ""
    stage.say(f"\n  {question.why}\n  > {question.text}{where}", "bold cyan")
    claims = memory.ask(question.text).claims
    files = {info.document_id: info.file for info in memory.documents()}
    for claim in claims[: question.show]:
        show_claim(stage, claim, files.get(claim.document_id, claim.document_id))
    if len(claims) > question.show:
        stage.say(f"    ({len(claims) - question.show} more quotes)", "dim")
    check_quotes(stage, memory, claims, question)
    evidence = memory.search(question.text).evidence
    if question.chain:
        show_chain(stage, claims, evidence, question.chain)
    if question.project:
        check_wall(stage, evidence, question)


def check_quotes(stage: Stage, memory: Memory, claims: Sequence[Claim], question: Question) -> None:
    """Check what the quotes say, and where they stand."""
    now = [claim for claim in claims if claim.superseded_by is None]
    said = [claim.quote for claim in now] or [""]
    for words in question.first:
        newest = words in said[0] and claims[0] == now[0]
        stage.promise(newest, f"the first quote says {words!r}")
    for words in question.holds:
        stage.promise(any(words in quote for quote in said), f"a quote says {words!r}")
    if question.talks:
        talks = {memory.get(claim.seqs[0]).session for claim in claims}
        stage.promise(talks >= {*question.talks}, f"they come from {' and '.join(question.talks)}")
    right = bool(claims) and all(cited(memory, claim) for claim in claims)
    stage.promise(right, f"the {len(claims)} quotes stand at the lines they cite")
    if question.current:
        unplaced = [claim.document_id for claim in claims[:1]] == ["CURRENT"]
        stage.promise(unplaced, "it is found although no document holds it yet")


def show_claim(stage: Stage, claim: Claim, file: str) -> None:
    """Print a quote, who said it and when, where it stands and what it stands on."""
    gone = f", replaced by seq {claim.superseded_by}" if claim.superseded_by else ""
    lines = f":{claim.lines[0]}-{claim.lines[1]}" if claim.lines else ""
    ids = f"{' '.join(claim.event_ids)} / {' '.join(claim.external_ids)}"
    stage.say(f'    "{claim.quote}"', "dim" if gone else "", cut=True)
    stage.say(f"      {(claim.time or '')[:10]}, {claim.speaker}, {claim.source}{gone}", "yellow")
    stage.say(f"      {file}{lines} -> seq {','.join(map(str, claim.seqs))} -> {ids}", "magenta")


def cited(memory: Memory, claim: Claim) -> bool:
    """Tell whether a quote's first line stands in its document at the lines that are cited."""
    if claim.lines is None:
        return claim.document_id == "CURRENT"
    lines = memory.document(claim.document_id).markdown.splitlines()
    return claim.quote.split("\n")[0] in "\n".join(lines[claim.lines[0] - 1 : claim.lines[1]])


def show_chain(
    stage: Stage, claims: Sequence[Claim], evidence: Iterable[Evidence], length: int
) -> None:
    """Print what the first quote replaced, newest first, out of what one search returned."""
    entries = {entry.seq: entry for item in evidence for entry in item.entries}
    chain = [entries[claim.seqs[0]] for claim in claims[:1]]
    for entry in sorted(entries.values(), key=lambda e: (e.time or "", e.seq), reverse=True):
        if entry.superseded_by in {newer.seq for newer in chain}:
            stage.say(f"      it replaced {(entry.time or '')[:10]}, seq {entry.seq}: {entry.text}")
            chain.append(entry)
    whole = len(chain) == length and chain[0].superseded_by is None
    stage.promise(whole, f"one search brought the whole chain, {len(chain)} of {length} values")


def check_wall(stage: Stage, evidence: Iterable[Evidence], question: Question) -> None:
    """Check that nothing of another project came through a handle that is bound to one."""
    entries = [entry for item in evidence for entry in item.entries]
    foreign = [entry.seq for entry in entries if entry.project not in {None, question.project}]
    foreign += [e.seq for e in entries if any(words in e.text for words in question.never)]
    found = f"none of the {len(entries)} entries found is another project's"
    stage.promise(bool(entries) and not foreign, found)


def rebuild(stage: Stage, root: Path) -> str:
    """Delete all that is derived, rebuild it from the log, compare; import again, compare again."""
    with open_memory(root) as memory:
        status, state, before = memory.status(), memory.state(), fingerprint(root)
    for name in ("index.db", "index.db-wal", "index.db-shm", "CURRENT.md"):
        (Path(status.folder) / name).unlink(missing_ok=True)
    shutil.rmtree(Path(status.folder) / "topics")
    left = ", ".join(sorted(path.name for path in Path(status.folder).iterdir()))
    stage.say(f"  deleted: index.db, topics/, CURRENT.md; left: {left}")
    with open_memory(root) as memory:
        done, after = memory.rebuild(), fingerprint(root)
        stage.say(f"  before  {before}\n  after   {after}")
        stage.promise(before == after, "every Markdown file has the same bytes as before")
        stage.promise(state == done.state == memory.state(), "the state hash is the same")
        again = memory.import_lines(TALK.read_bytes().splitlines())
        same = again.added == 0 and memory.state() == state
        stage.promise(same, f"the file imported again changes nothing, {again.known} events known")
    return status.documents_folder


def fingerprint(root: Path) -> str:
    """Hash the names and bytes of all Markdown files below a folder, without the engine's help."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*.md")):
        total.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def open_memory(root: Path, project: str | None = None, model: Model | None = None) -> Memory:
    """Open the demo's scope, bound to one project or reading all; with rules, or a model that reads."""
    return Memory.open(root, user="lena", project=project, model=model, settings=SETTINGS)


def fresh_folder(out: Path) -> bool:
    """Make an empty output folder; False, and nothing deleted, if it holds what is not ours."""
    ours = out.is_dir() and ((out / MARKER).is_file() or not any(out.iterdir()))
    if out.is_symlink() or (out.exists() and not ours):
        return False
    if ours:
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARKER).write_text(NOTE, encoding="utf-8")
    return True


def play(stage: Stage, out: Path) -> str:
    """Run the parts in order; give the folder of the files."""
    lines = TALK.read_bytes().splitlines()
    talks = len({json.loads(line)["session"] for line in lines})
    stage.title(f"1. {len(lines)} events of {talks} talks: log, CURRENT, plans, documents")
    sizes = f"split above {SETTINGS.split_tokens}, merge below {SETTINGS.merge_tokens} tokens"
    stage.say(f"  thresholds, small for the demo: CURRENT {SETTINGS.current_tokens}, {sizes}")
    with open_memory(out) as memory:
        record(stage, memory, lines)
        for what, least in LEAST.items():
            stage.promise(stage.seen[what] >= least, f"{stage.seen[what]} {what}")
        stage.title("2. The library")
        show_library(stage, memory)
    stage.title("3. Questions")
    for question in QUESTIONS:
        with open_memory(out, question.project) as memory:
            ask(stage, memory, question)
    played.scene(stage, lambda model: open_memory(out, "billing-brightwater", model))
    stage.title("4. All that is derived is deleted and rebuilt from the log")
    folder = rebuild(stage, out)
    stage.title("5. Where lines come from; a plan undone; a line corrected by hand")
    with open_memory(out) as memory:
        audit.play(stage, memory, lambda: fingerprint(out))
        ending.by_hand(stage, memory)
    stage.title("6. A model maintains (a script plays it): code decides on what it says")
    by_model.play(stage, out)
    stage.title("7. Forgotten is gone")
    with open_memory(out) as memory:
        ending.forget(stage, memory, Path(folder).rglob("*"))
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo: 0 if each promise was kept, 1 if not, 2 if the output folder is not ours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="folder to write to")
    parser.add_argument("--plain", action="store_true", help="no colours, no moving bar")
    parser.add_argument("--fast", action="store_true", help="no pauses between the events")
    options = parser.parse_args(arguments)
    plain = options.plain or not sys.stdout.isatty()
    console = Console(force_terminal=not plain, width=120 if plain else None, highlight=False)
    stage = Stage(console, 0.0 if options.fast or plain else 0.01)
    began = time.perf_counter()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if not fresh_folder(options.out):
        stage.say(f"{options.out} is not a folder of this demo; name another with --out", "red")
        return 2
    folder = play(stage, options.out)
    scope = f"--root {options.out} --user lena"
    stage.title(f"8. Done in {time.perf_counter() - began:.1f} s, no key, no network")
    stage.say(f"  The files: {folder}\n  Try: memoranda list {scope}")
    stage.say(f'       memoranda ask "Who leads operations?" {scope}')
    for words in stage.broken:
        stage.say(f"  BROKEN: {words}", "bold red")
    return 1 if stage.broken else 0


if __name__ == "__main__":
    sys.exit(main())
