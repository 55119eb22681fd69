"""The part of the demo in which a model maintains: a scripted one, which is wrong on purpose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memoranda import Memory, Settings
from memoranda.llm.doubles import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

    from demo import Stage
    from memoranda.llm.model import Request
    from memoranda.reports import PlanView, Run

SETTINGS = Settings(auto=False, price="0.25/2")
TALK = (
    ("2026-06-02", "Hello again!"),
    ("2026-06-02", "The ingest API keeps its raw files for 30 days."),
    ("2026-06-02", "The office moved to Harbour Street 4. The old lease ends on 30 June."),
    ("2026-06-03", "Deployments of ingest need a rehearsal."),
    ("2026-06-03", "The rehearsal may be skipped before holidays."),
)
MOVED = ("The office moved to Harbour Street 4.", "The old lease ends on 30 June.")
LATER = ("2026-06-20", "The ingest API keeps its raw files for 90 days.")
LOSING = "Deployments of ingest need a rehearsal before holidays."
FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)


class Shown:
    """What one request shows, and under which names."""

    def __init__(self, request: Request) -> None:
        self.again = len(request.messages) > 2
        self.data = {name: text for name, _, text in FENCED.findall(request.messages[1].content)}

    def name(self, text: str, place: str) -> str:
        """Give the name under which a text is shown in a place; "" if it is not."""
        lines = self.data[place].splitlines()
        return next((line.split()[0] for line in lines if line.endswith(f": {text}")), "")


def answer(request: Request) -> dict[str, Any]:
    """Say what the script says at this step."""
    shown, fields = Shown(request), (request.schema or {})["properties"]
    if "facts" in fields:
        return extracted(shown)
    return rewritten(shown) if "join" in fields else routed(shown)


def extracted(shown: Shown) -> dict[str, Any]:
    """Cut one event in two facts and leave a greeting out; at first by names nobody gave."""
    greeting, moved = shown.name(TALK[0][1], "events"), shown.name(TALK[2][1], "events")
    if not moved:
        return {}
    of = moved if shown.again else "e-999 entry-12"
    facts = [{"of": of, "fact": fact} for fact in MOVED]
    return {"facts": facts, "skip": [{"of": greeting, "why": "greeting"}]}


def rewritten(shown: Shown) -> dict[str, Any]:
    """Join two lines in words that lose a `may`, and say what replaces what."""
    parts = [shown.name(text, "entries") for _, text in TALK[3:]]
    pair = [shown.name(TALK[1][1], "older"), shown.name(LATER[1], "entries")]
    return {
        "join": [{"of": " ".join(parts), "text": LOSING}] if all(parts) else [],
        "old": [" ".join(pair)] if all(pair) else [],
    }


def routed(shown: Shown) -> dict[str, Any]:
    """Put all blocks into one document: the first that is shown, or a new one."""
    blocks = re.findall(r"^block (\w+)", shown.data["blocks"], re.MULTILINE)
    known = re.findall(r'^(\w+) "', shown.data["documents"], re.MULTILINE)
    return {"go": [{"blocks": " ".join(blocks), "to": (*known, "ingest API")[0]}]}


def play(stage: Stage, out: Path) -> None:
    """Let the model maintain a scope of its own, and a person decide."""
    model = ScriptedModel(answer, name="a script")
    with Memory.open(out, user="ines", model=model, settings=SETTINGS) as memory:
        for day, text in TALK:
            memory.add(text, speaker="Ines", time=day)
        estimate = memory.estimate()
        memory.consolidate()
        run = memory.last_run
        if estimate is None or run is None:
            stage.promise(False, "a model maintained")
            return
        show_run(stage, model, run)
        stage.say(f"  expected before: {estimate.calls} calls, {estimate.input_tokens} tokens in")
        check_words(stage, memory, run)
        memory.add(LATER[1], speaker="Ines", time=LATER[0])
        memory.consolidate()
        decide(stage, memory)
        show_costs(stage, memory)
        state = memory.state()
        memory.rebuild()
        stage.promise(state == memory.state(), "a rebuild asks no model and gives the same state")


def show_run(stage: Stage, model: ScriptedModel, run: Run) -> None:
    """Show what was wrong with the first reply, and what became of all."""
    repairs = [request for request in model.requests if len(request.messages) > 2]
    for request in repairs:
        stage.say(f"    it said     {request.messages[2].content}", "red", cut=True)
        problem = FENCED.search(request.messages[3].content)
        stage.say(f"    it was told {problem[3] if problem else ''}", "yellow", cut=True)
    told = f"replies used {run.used}, repaired {run.repaired}; wordings refused {run.reworded}"
    stage.say(f"  {told}; steps left to the rules {len(run.left_to_rules)}", "bold yellow")
    names = bool(repairs) and "e-999" in repairs[0].messages[3].content
    stage.promise(names and run.repaired == 1, "names nobody gave: refused by name, repaired once")


def check_words(stage: Stage, memory: Memory, run: Run) -> None:
    """Check that what was reworded may be, and that nothing was lost."""
    (info,) = memory.documents()
    lines = memory.document(info.document_id).markdown
    for line in lines.splitlines():
        if line.startswith("- <seq="):
            stage.say(f"    {line}", cut=True)
    stage.promise(all(fact in lines for fact in MOVED), "one event became two facts, both cite it")
    kept = all(text in lines for _, text in TALK[3:]) and LOSING not in lines
    stage.promise(kept and run.reworded == 1, "a join that loses a 'may': refused, kept verbatim")
    found = [event.content for event in (hit.event for hit in memory.events("Hello").hits)]
    stage.promise(found == [TALK[0][1]], "a greeting is in no document, and still in the log")


def decide(stage: Stage, memory: Memory) -> None:
    """Show the plan that waits as a diff, approve it, and ask what holds now."""
    waiting = memory.waiting()
    stage.promise(len(waiting) == 1, "a replacement on a model's word only waits for a person")
    for plan_id in waiting:
        stage.say(f"  plan {plan_id}, {memory.plan(plan_id).verdict}", "bold")
        for reason in memory.plan(plan_id).reasons:
            stage.say(f"    {reason}", "yellow")
        diffs(stage, memory.plan(plan_id))
        memory.approve(plan_id, by="Ines")
    evidence = memory.search("How long are raw files kept?").evidence
    lines = [entry for item in evidence for entry in item.entries if "raw files" in entry.text]
    now = [entry.text for entry in lines if entry.superseded_by is None]
    stage.promise(
        now == [LATER[1]] and len(lines) == 2, "approved: 90 days, 30 as what it replaced"
    )


def diffs(stage: Stage, plan: PlanView) -> None:
    """Print what a plan would change, document by document."""
    from demo import show_diff  # noqa: PLC0415 - it imports this module

    for document_id in {**plan.before, **plan.after}:
        show_diff(stage, plan, document_id)


def show_costs(stage: Stage, memory: Memory) -> None:
    """Print every call with its costs; the latest is the last."""
    calls = memory.calls()[::-1]
    for call in calls:
        tokens = f"{call.usage.input_tokens:>5} in, {call.usage.output_tokens:>3} out"
        stage.say(f"    {call.purpose:<10} {tokens}  ${call.price or 0:.5f}  {call.outcome}")
    money = sum(call.price or 0 for call in calls)
    stage.say(
        f"  {len(calls)} calls, ${money:.4f} at 0.25/2 dollars a million tokens", "bold yellow"
    )
    stage.promise(0 < money < 0.01, "each call is in the log with its tokens and its price")
