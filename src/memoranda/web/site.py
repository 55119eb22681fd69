"""One site: who a request is from, whether it may do what it asks, and the page that answers."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from memoranda.errors import MemorandaError
from memoranda.gate import problems
from memoranda.gate.gate import Gate
from memoranda.gate.grant import Grant
from memoranda.gate.problems import Problem
from memoranda.web import answers
from memoranda.web.forms import MARK, ForeignFormError, check, fields, posted
from memoranda.web.sessions import Session, Sessions
from memoranda.web.visit import Fields, Go, Look, Page, Reply, Visit, address, allowed
from memoranda.web.words import LANGUAGES, Words

Endpoint = Callable[[Request], Awaitable[Response]]
View = Callable[[Visit], Reply]
NAV: Final = (
    ("inbox", "plans"), ("library", "documents"), ("timeline", "events"), ("lab", "ask"),
    ("ask", "ask"), ("trace", "resolve"), ("forget", "forget"), ("health", "status"),
)  # fmt: skip
"""Pages of the menu, and the method that its reader must be allowed to call."""
_BELONGS: Final = {
    "plans": "inbox", "requests": "inbox", "documents": "library", "entries": "trace",
    "events": "timeline", "look": "", "logout": "",
}  # fmt: skip
"""First part of an address -> the page of the menu that it belongs to."""
_log = logging.getLogger(__name__)


class Site:
    """Answers requests for the people of one server."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.sessions = Sessions()

    def read(self, view: View, needs: tuple[str, ...]) -> Endpoint:
        """Make the endpoint of a page: it changes nothing."""

        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(self._answer, request, view, needs, None)

        return endpoint

    def write(self, view: View, needs: tuple[str, ...]) -> Endpoint:
        """Make the endpoint of a form, which must carry the mark of its session."""

        async def endpoint(request: Request) -> Response:
            try:
                form = await posted(request)
            except MemorandaError as error:
                return self.problem(request, problems.of(error), None)
            return await run_in_threadpool(self._answer, request, view, needs, form)

        return endpoint

    def visitor(self, request: Request) -> tuple[Session, Grant] | None:
        """Give who is logged in; a token that was revoked, or has run out, ends its session."""
        cookie = request.cookies.get(answers.cookie_name(answers.SESSION, self.gate), "")
        session = self.sessions.find(cookie) if cookie else None
        if session is None:
            return None
        grant = self.gate.tokens.grant(session.token_id)
        if grant is None:
            self.sessions.end(cookie)
            return None
        return session, grant

    def look(self, request: Request) -> Look:
        """Give how this person wants the pages."""
        accepted = request.headers.get("accept-language", "")
        return answers.look_of(request.cookies, accepted, self.gate)

    def _answer(
        self, request: Request, view: View, needs: tuple[str, ...], form: Fields | None
    ) -> Response:
        found = self.visitor(request)
        if found is None:
            return self._unknown(request, form)
        session, grant = found
        try:
            if form is not None:
                check(request, form, session.mark)
            return self._visited(request, view, needs, (session, grant, form or {}))
        except ForeignFormError as error:
            refused = problems.refusal("role", str(error))
            return self.problem(request, refused, found)
        except MemorandaError as error:
            return self.problem(request, problems.of(error, hide=""), found)
        except Exception as error:  # noqa: BLE001 - one request must not end the server
            where = "".join(traceback.format_tb(error.__traceback__))  # and no word of a text
            _log.error("a page failed, %s:\n%s", type(error).__name__, where)
            return self.problem(request, problems.refusal("fault"), found)

    def _visited(
        self,
        request: Request,
        view: View,
        needs: tuple[str, ...],
        who: tuple[Session, Grant, Fields],
    ) -> Response:
        session, grant, form = who
        wait = self.gate.rates.take(grant.token_id)
        if wait is not None:
            many = problems.refusal("too-many", retry_after=wait)
            return self.problem(request, many, (session, grant))
        query = fields(request.url.query)
        with self.gate.shelf.memory(grant) as memory:
            visit = Visit(
                memory=memory,
                grant=grant,
                session=session,
                look=self.look(request),
                path=request.path_params,
                query=query,
                form=form,
            )
            if not visit.may(*needs):
                return self.problem(request, problems.refusal("role"), (session, grant))
            return self._given(request, visit, view(visit))

    def _given(self, request: Request, visit: Visit, reply: Reply) -> Response:
        match reply:
            case Go(to=to, note=note):
                visit.session.note = note
                return answers.go(to)
            case Page(template=template, values=values, status=status):
                around = self.around(request, visit.look, (visit.session, visit.grant))
                waiting = len(visit.memory.waiting()) if visit.may("waiting") else 0
                told = {"may": visit.may, "waiting": waiting, "note": visit.session.took()}
                told["said"] = told.pop("note")
                return answers.page(template, {**around, **told, **values}, status=status)

    def around(
        self, request: Request, look: Look, who: tuple[Session, Grant] | None, *, mark: str = ""
    ) -> dict[str, Any]:
        """Give what every page needs: words, menu, the mark of its forms."""
        words = Words(language=look.language)
        session, grant = who or (None, None)
        first = request.url.path.strip("/").partition("/")[0]
        here = _BELONGS.get(first, first)
        asked = f"?{request.url.query}" if request.url.query else ""
        return {
            "t": words,
            "look": look,
            "languages": LANGUAGES,
            "grant": grant,
            "nav": self._menu(grant),
            "here": here,
            "back": request.url.path + asked if request.method == "GET" else f"/{here}",
            "mark_field": MARK,
            "mark": session.mark if session else mark,
            "may": lambda *_: False,
            "waiting": 0,
            "said": None,
            "version": self.gate.version,
        }

    def _menu(self, grant: Grant | None) -> list[str]:
        return [name for name, need in NAV if grant is not None and allowed(grant, need)]

    def _unknown(self, request: Request, form: Fields | None) -> Response:
        """Send someone who is not logged in to the login page; a form is not done later."""
        if form is None:
            path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return answers.go(address("login", next=path))
        return answers.go(address("login"))

    def problem(
        self, request: Request, problem: Problem, who: tuple[Session, Grant] | None
    ) -> Response:
        """Give a page that says what was wrong, and what to do."""
        values = {**self.around(request, self.look(request), who), "problem": problem}
        made = answers.page("problem.html", values, status=problem.status)
        if problem.retry_after is not None:
            made.headers["retry-after"] = str(max(1, int(problem.retry_after + 0.999)))
        return made
