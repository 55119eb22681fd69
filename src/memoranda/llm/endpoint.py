"""A model behind an HTTP endpoint: delivers, climbs down the ladder, and turns faults into our errors."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Protocol

from memoranda.errors import (
    ModelError,
    ModelRateLimitedError,
    ModelTimeoutError,
    ModelUnavailableError,
    ReplyError,
)
from memoranda.llm.keys import Key
from memoranda.llm.ladder import Dialect, Rung, bare, is_too_long
from memoranda.llm.model import Reply, Request, Usage
from memoranda.llm.replies import completed, is_declined, payload
from memoranda.llm.retry import LATER, Delivery, Rhythm, deliver
from memoranda.llm.told import prompt_tokens
from memoranda.llm.wire import Address, Answer, NoAnswer, post

_CUT = "its answer was cut"


class Speech(Protocol):
    """The language of one kind of endpoint."""

    path: str
    rungs: tuple[Rung, ...]

    def headers(self, key: str | None) -> dict[str, str]:
        """Give the headers that carry the key, if there is one."""
        ...

    def body(self, name: str, request: Request, dialect: Dialect) -> dict[str, Any]:
        """Say a request in it."""
        ...

    def reply(self, found: Mapping[str, Any]) -> Reply:
        """Understand an answer; KeyError, TypeError or the like where it is none."""
        ...


@dataclass(slots=True, kw_only=True)
class _Ask:
    """One question on its way."""

    request: Request
    deadline: float
    dialect: Dialect
    calls: int = 0
    usage: Usage = field(default_factory=Usage)

    @property
    def left(self) -> int:
        return self.request.calls - self.calls


class EndpointModel:
    """A model that answers over HTTP.

    It remembers, for as long as it lives, which way to structured replies the endpoint knows, and
    until when the endpoint wants to be left alone.
    """

    def __init__(  # noqa: PLR0913 - what an endpoint is
        self,
        name: str,
        *,
        kind: str,
        speech: Speech,
        address: Address,
        key: Key,
        dialect: Dialect | None = None,
        rhythm: Rhythm | None = None,
    ) -> None:
        self.name = f"{kind}:{name}"
        self.model = name
        self.speech = speech
        self.address = address
        self.rhythm = rhythm or Rhythm()
        self._key = key
        self._lock = threading.Lock()
        self._dialect = dialect or Dialect(rung=speech.rungs[0])
        self._quiet_until = 0.0

    def __repr__(self) -> str:
        """Name it, without its key."""
        return f"EndpointModel({self.name!r}, {self.address.shown!r})"

    @property
    def dialect(self) -> Dialect:
        """How the endpoint is spoken to, as far as it is known."""
        return self._dialect

    def ask(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            ModelUnavailableError: it can't be reached, or does not take the request.
            ModelTimeoutError: the request's time is over.
            ModelRateLimitedError: it wants to be asked later than the request's time allows.
            ReplyError: a free text came that can't be written down.
        """
        deadline = self.rhythm.clock() + request.timeout
        self._keep_quiet(deadline)
        going = _Ask(request=request, deadline=deadline, dialect=self._dialect)
        try:
            return self._asked(going)
        except ModelError as error:
            error.calls = going.calls
            raise

    def _asked(self, going: _Ask) -> Reply:
        while True:
            delivery = self._deliver(going)
            going.calls += delivery.calls
            answer = delivery.answer
            if isinstance(answer, NoAnswer) or answer.status != 200:
                self._go_on_or_fail(going, delivery)
                continue
            reply = self._understood(going, answer)
            going.usage = going.usage.plus(reply.usage)
            lower = self._lower_after(reply, going)
            if lower is None:
                return replace(reply, usage=going.usage, calls=going.calls)
            going.dialect = lower

    def _deliver(self, going: _Ask) -> Delivery:
        asked = going.request
        if not going.dialect.narrow:
            asked = replace(asked, schema=bare(asked.schema))
        said = self.speech.body(self.model, asked, going.dialect)
        body = json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "memoranda",
            **self.speech.headers(self._key.reveal()),
        }

        def send(seconds: float) -> Answer | NoAnswer:
            found = post(
                self.address, self.speech.path, body=body, headers=headers, seconds=seconds
            )
            return _whole(found)

        most = going.left
        if going.request.schema and not going.dialect.probed:
            most = min(most, 2)  # some say 500 to a way they don't know
        return deliver(
            send, calls=most, deadline=going.deadline, rhythm=self.rhythm, quiet=self._be_quiet
        )

    def _go_on_or_fail(self, going: _Ask, delivery: Delivery) -> None:
        """Find another way to ask, or say what went wrong."""
        answer = delivery.answer
        if isinstance(answer, NoAnswer):
            self._fail_without(answer, going)
        said = self._complaint(answer)
        rungs = self.speech.rungs if going.request.schema else ()
        changed = going.dialect.after(answer.status, said, rungs=rungs)
        if changed is None or not going.left:
            self._fail(answer.status, said, delivery.wait)
        going.dialect = changed

    def _understood(self, going: _Ask, answer: Answer) -> Reply:
        kind = answer.headers.get("content-type", "nothing")
        found = payload(answer.body)
        if not _is_json(answer) or found is None:
            detail = f"it answered {kind[:60]!a}, not JSON; check the base URL"
            ours = "its answer is not JSON; check the base URL"
            raise ModelUnavailableError(self.name, "content_type", detail, ours=ours)
        if isinstance(found.get("error"), str | dict):  # some say so with status 200
            raise ModelUnavailableError(self.name, "server", f"it says {self._complaint(answer)}")
        try:
            reply = self.speech.reply(found)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            detail = "its answer has not the form of its kind; check the base URL"
            raise ModelUnavailableError(self.name, "server", detail, ours=detail) from None
        if going.request.schema is None and not _is_writable(reply):
            raise ReplyError("surrogate", "it holds a lone surrogate, which is no character")
        if reply.usage.estimated:
            usage = replace(reply.usage, input_tokens=prompt_tokens(going.request))
            reply = replace(reply, usage=usage)
        named = replace(reply, model=reply.model or self.model, endpoint=self.address.shown)
        return completed(named, going.request)

    def _lower_after(self, reply: Reply, going: _Ask) -> Dialect | None:
        """Learn from a reply; give the next way to ask if this one was not understood."""
        if going.request.schema is None:
            self._remember(replace(going.dialect, rung=self._dialect.rung), self._dialect.probed)
            return None
        if reply.parsed is not None or reply.tool_calls:
            self._remember(going.dialect, probed=True)
            return None
        understood = reply.stop == "length" or is_declined(reply)
        if going.dialect.probed or understood or not going.left:
            return None
        return going.dialect.lower(self.speech.rungs)

    def _remember(self, dialect: Dialect, probed: bool) -> None:  # noqa: FBT001 - its one meaning
        with self._lock:
            self._dialect = replace(dialect, probed=probed)

    def _be_quiet(self, seconds: float) -> None:
        """Remember that the endpoint wants to be left alone, for all threads."""
        with self._lock:
            self._quiet_until = max(self._quiet_until, self.rhythm.clock() + seconds)

    def _keep_quiet(self, deadline: float) -> None:
        """Wait as long as the endpoint asked us to, if there is time for it."""
        wait = self._quiet_until - self.rhythm.clock()
        if wait <= 0:
            return
        if self.rhythm.clock() + wait >= deadline:
            raise ModelRateLimitedError(self.name, wait)
        self.rhythm.sleep(wait)

    def _fail_without(self, answer: NoAnswer, going: _Ask) -> NoReturn:
        if answer.kind == "timeout":
            raise ModelTimeoutError(self.name, going.request.timeout)
        reason = "connection" if answer.kind == "connection" else "server"
        detail = f"{answer.detail}; check {self.address.shown} and the network"
        raise ModelUnavailableError(self.name, reason, detail, ours=detail)

    def _fail(self, status: int, said: str, wait: float | None) -> NoReturn:
        if status in LATER:
            raise ModelRateLimitedError(self.name, wait)
        ours = f"it answered with status {status}"
        reason, hint = "server" if status >= 500 else "request", ""
        if status in {401, 403}:
            reason, hint = "key", f"; check the key in {self._key.variable}"
        elif status == 404:
            reason, hint = "missing", "; check the model's name and the base URL"
        elif 300 <= status < 400:
            said, hint = "", ": it wants to be asked elsewhere; check the base URL"
        elif status == 413 or is_too_long(said):
            reason, hint = "too_long", "; send less at once"
        told = f"it says {said}" if said else ours
        raise ModelUnavailableError(self.name, reason, f"{told}{hint}", ours=f"{ours}{hint}")

    def _complaint(self, answer: Answer) -> str:
        found = payload(answer.body) or {}
        error = found.get("error", found)
        said = error if isinstance(error, str) else None
        if isinstance(error, Mapping):
            said = " ".join(
                part
                for part in (error.get("message") or error.get("detail"), error.get("param"))
                if isinstance(part, str)
            )
        return (
            self._key.redact(said)[:200].encode("ascii", "backslashreplace").decode()
            if said
            else ""
        )


def _whole(answer: Answer | NoAnswer) -> Answer | NoAnswer:
    """Take an answer that is meant to be JSON and is not for a cut one."""
    if isinstance(answer, NoAnswer) or answer.status != 200 or not _is_json(answer):
        return answer
    return answer if payload(answer.body) is not None else NoAnswer("connection", _CUT)


def _is_json(answer: Answer) -> bool:
    return "json" in answer.headers.get("content-type", "").lower()


def _is_writable(reply: Reply) -> bool:
    try:
        reply.text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
