"""The agentic reader: a model drives the tools, round by round, within limits (Infini Memory-A)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memoranda.answers import Stop, ToolUse
from memoranda.llm.model import Message, Reply, Request, ToolSpec
from memoranda.llm.prompts import Prompt
from memoranda.read.readers.catalog import listed
from memoranda.read.readers.desk import Tools
from memoranda.read.readers.gather import Harvest, fused
from memoranda.read.readers.moves import FINISH, Step, Wanted, native_step, schema, typed_step
from memoranda.read.readers.run import Failure, Run, unseen
from memoranda.read.tools.results import ToolResult

LONGEST = 40_000
"""Characters of one result that a model is shown."""
_NOT_RUN = "Not run: at most {most} calls in one round. Ask again for what you still need."
_REPEATED = "Not run again: you asked this before, its result is above."


@dataclass(slots=True)
class _Found:
    """What the calls have brought so far."""

    lists: list[list[int]] = field(default_factory=list)
    """The lines of each result, in its order."""
    seen: set[int] = field(default_factory=set)
    named: dict[int, None] = field(default_factory=dict)
    events: dict[str, None] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def take(self, result: ToolResult) -> int:
        """Take in a result; say how many of its lines are new."""
        entries = [entry for item in result.evidence for entry in item.entries]
        lines = [entry.seq for entry in entries if entry.seqs]
        events = [name for entry in entries if not entry.seqs for name in entry.event_ids]
        fresh = len(set(lines) - self.seen) + len(set(events) - self.events.keys())
        self.lists.append(lines)
        self.seen.update(lines)
        self.events |= dict.fromkeys(events)
        return fresh

    def name(self, lines: Iterable[int]) -> int:
        """Take the lines that a model names, if it was shown them; say how many it was not."""
        wanted = list(lines)
        self.named |= dict.fromkeys(line for line in wanted if line in self.seen)
        return sum(line not in self.seen for line in wanted)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A step with the reply that it was read from."""

    step: Step
    reply: Reply


class Agent:
    """Reads for one question."""

    def __init__(self, question: str, run: Run, tools: Tools) -> None:
        self._run = run
        self._tools = tools
        self._limits = run.desk.limits
        self._found = _Found()
        self._specs = tools.specs()
        self._native = _calls_natively(run)
        self._question = question
        self._prompt = Prompt.load("read_tools")
        self._turns: list[Message] = []
        self._dry = 0

    def read(self) -> tuple[Harvest, Stop, str]:
        """Read until something ends it: what was found, why it ended, and the reason of a failure."""
        self._turns = list(self._opening())
        stop: Stop = "rounds"
        reason = ""
        for number in range(1, self._limits.rounds + 1):
            ended = self._round(number)
            if ended is not None:
                stop = ended.stop if isinstance(ended, Failure) else ended
                reason = ended.reason if isinstance(ended, Failure) else ""
                break
        self._run.calling = "native" if self._native else "typed"
        return self._harvest(), stop, reason

    # --- a round ------------------------------------------------------------------------------

    def _round(self, number: int) -> Stop | Failure | None:
        """Ask the model what it wants, and do it; give why the reading ends, if it does."""
        since = self._run.mark()
        turn = self._ask()
        if isinstance(turn, Failure):
            self._run.note("tools", since, note=turn.reason)
            return turn
        unknown = self._found.name(turn.step.lines)
        note = f"{unknown} lines were named that no tool had shown" if unknown else ""
        named = [str(line) for line in turn.step.lines]
        if turn.step.done or not turn.step.calls:
            self._run.note("tools", since, chosen=named, note=note)
            return "decided" if self._found.seen or self._found.events else "unread"
        fresh = [call for call in turn.step.calls if call.key not in self._found.asked]
        if not fresh:
            uses = [_use(call, error=_REPEATED) for call in turn.step.calls]
            self._run.note("tools", since, calls=uses, chosen=named, note=note)
            return "repeated"
        uses, texts = self._call(turn.step.calls)
        self._run.note("tools", since, calls=uses, chosen=named, note=note)
        self._answer(turn, texts, number)
        self._dry = 0 if any(use.fresh for use in uses) else self._dry + 1
        return self._ending()

    def _ending(self) -> Stop | None:
        if self._run.over():
            return "deadline"
        limits = self._limits
        seen = self._found.seen
        places = self._run.desk.looking(lambda source: source.view.places(seen))
        if sum(place.tokens for place in places.values()) >= max(limits.evidence, limits.budget):
            return "evidence"
        return "nothing_new" if self._dry >= limits.dry else None

    def _call(self, calls: Sequence[Wanted]) -> tuple[list[ToolUse], list[str]]:
        """Run the calls that are new, and no more than a round may have."""
        uses: list[ToolUse] = []
        texts: list[str] = []
        left = self._limits.calls
        for call in calls:
            if call.key in self._found.asked:
                uses.append(_use(call, error=_REPEATED))
            elif left == 0 or self._run.over():
                uses.append(_use(call, error=_NOT_RUN.format(most=self._limits.calls)))
            else:
                left -= 1
                self._found.asked.add(call.key)
                result = self._tools.call(call.name, call.arguments)
                fresh = self._found.take(result)
                uses.append(_use(call, found=result.found, fresh=fresh, error=result.error))
                texts.append(_cut(result.text or result.error or "Nothing was found."))
                continue
            texts.append(uses[-1].error or "")
        return uses, texts

    # --- the conversation ---------------------------------------------------------------------

    def _opening(self) -> tuple[Message, ...]:
        inline = self._limits.inline
        data = {
            "question": self._question,
            "catalog": self._run.desk.looking(lambda source: listed(source, inline)),
            "tools": "as given" if self._native else _told(self._specs),
        }
        nonce = unseen(self._run.desk.nonce, data.values())
        words = {"rounds": self._limits.rounds, "calls": self._limits.calls}
        return self._prompt.messages(nonce=nonce, data=data, words=words)

    def _ask(self) -> _Turn | Failure:
        if self._native:
            turn = self._put(native=True)
            no_tools = isinstance(turn, Failure) and turn.reason == "unavailable"
            mute = isinstance(turn, _Turn) and turn.step.prose and not self._found.lists
            if not (no_tools or mute) or self._run.desk.calling == "native":
                return turn
            self._native = False  # this model calls no tools: ask for JSON from now on
            self._turns = list(self._opening())
        return self._put(native=False)

    def _put(self, *, native: bool) -> _Turn | Failure:
        request = Request(
            messages=tuple(self._turns),
            tools=(*self._specs, FINISH) if native else (),
            schema=None if native else schema(self._specs),
            max_tokens=self._limits.reply_tokens,
        )
        read = native_step if native else typed_step
        return self._run.ask(
            request, lambda reply: _Turn(read(reply), reply), label=self._prompt.label
        )

    def _answer(self, turn: _Turn, texts: Sequence[str], number: int) -> None:
        """Add the model's turn and the results to the conversation."""
        left = self._limits.rounds - number
        rest = f"{left} rounds are left." if left else "This was the last round."
        reply = turn.reply
        if reply.tool_calls:
            said = Message(role="assistant", content=reply.text, tool_calls=reply.tool_calls)
            self._turns.append(said)
            given = {call.call_id: text for call, text in zip(turn.step.calls, texts, strict=True)}
            self._turns += [
                Message(
                    role="tool", content=given.get(call.call_id, "Noted."), call_id=call.call_id
                )
                for call in reply.tool_calls
            ]
            return
        parts = [
            f"Result of {call.name}:\n{text}"
            for call, text in zip(turn.step.calls, texts, strict=True)
        ]
        self._turns += [
            Message(role="assistant", content=reply.text.strip() or "{}"),
            Message(role="user", content="\n\n".join((*parts, rest))),
        ]

    def _harvest(self) -> Harvest:
        names = tuple(self._found.events)
        records = self._run.desk.looking(lambda source: [source.log.by_id(name) for name in names])
        return Harvest(
            named=tuple(self._found.named),
            own=fused(self._found.lists),
            events=tuple(record.position for record in records if record is not None),
        )


def _calls_natively(run: Run) -> bool:
    """Say whether native calls are tried: a program on the command line knows none."""
    model = run.desk.model
    by_program = model is not None and model.name.startswith("command:")
    return run.desk.calling == "native" or (run.desk.calling == "auto" and not by_program)


def _told(specs: Sequence[ToolSpec]) -> str:
    """Describe the tools in words, for models that are held to a form and don't see it."""
    return "\n".join(f"{spec.name}({_signature(spec)}): {spec.description}" for spec in specs)


def _signature(spec: ToolSpec) -> str:
    """Give the arguments of a tool: `query: string, limit: integer?`; the last may be left out."""
    needed = spec.parameters.get("required", ())
    return ", ".join(
        f"{name}: {kind.get('type', 'any')}{'' if name in needed else '?'}"
        for name, kind in spec.parameters.get("properties", {}).items()
    )


def _use(call: Wanted, *, found: int = 0, fresh: int = 0, error: str | None = None) -> ToolUse:
    return ToolUse(name=call.name, arguments=call.arguments, found=found, fresh=fresh, error=error)


def _cut(text: str) -> str:
    """Cut a result that is too long for a prompt, and say so."""
    if len(text) <= LONGEST:
        return text
    fence = text.rstrip().rpartition("\n")[2][:200]  # what closes it stays
    return f"{text[:LONGEST]}\n{fence}\n(cut here: {len(text) - LONGEST} characters more; ask for less)"
