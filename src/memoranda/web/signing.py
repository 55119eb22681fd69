"""Coming in and going out: login by a token, logout, language and theme."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from memoranda.errors import MemorandaError
from memoranda.gate import problems
from memoranda.web import answers
from memoranda.web.forms import ForeignFormError, check, fields, posted
from memoranda.web.sessions import mark_of
from memoranda.web.visit import Fields, Look, address

if TYPE_CHECKING:
    from memoranda.web.site import Site


class Door:
    """The pages of someone who is not logged in yet, or no longer wants to be."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._gate = site.gate

    async def home(self, request: Request) -> Response:
        """Lead to the first page that this person may see."""
        found = await run_in_threadpool(self._site.visitor, request)
        menu = self._site.around(request, self._site.look(request), found)["nav"]
        return answers.go(address(menu[0] if menu else "login"))

    async def login(self, request: Request) -> Response:
        """Show the login page, or take a token."""
        if request.method != "POST":
            query = fields(request.url.query)
            return self._form(request, to=_inside(query.get("next", ("",))[-1]))
        try:
            form = await posted(request)
            self._check(request, form)
        except ForeignFormError:
            return self._form(request, told="login.again", status=403)
        except MemorandaError as error:
            return self._site.problem(request, problems.of(error), None)
        return await run_in_threadpool(self._enter, request, form)

    def _enter(self, request: Request, form: Fields) -> Response:
        to = _inside(form.get("next", ("",))[-1])
        try:
            grant = self._gate.tokens.known(form.get("token", ("",))[-1].strip())
        except MemorandaError as error:
            return self._site.problem(request, problems.of(error), None)
        if grant is None:
            wait = self._gate.rates.missed(request.client.host if request.client else "")
            if wait is not None:
                refused = problems.refusal("too-many", retry_after=wait)
                return self._site.problem(request, refused, None)
            return self._form(request, to=to, told="login.wrong", status=401)
        cookie, _ = self._site.sessions.begin(grant.token_id)
        response = answers.go(to or "/")
        answers.set_cookie(response, answers.SESSION, cookie, self._gate)
        answers.drop_cookie(response, answers.VISIT, self._gate)
        return response

    async def logout(self, request: Request) -> Response:
        """End the session."""
        try:
            self._check(request, await posted(request))
        except MemorandaError as error:
            return self._site.problem(request, _refused(error), None)
        cookie = request.cookies.get(answers.cookie_name(answers.SESSION, self._gate), "")
        self._site.sessions.end(cookie)
        response = answers.go("/login")
        answers.drop_cookie(response, answers.SESSION, self._gate)
        return response

    async def look(self, request: Request) -> Response:
        """Keep the language and the theme that were chosen."""
        try:
            form = await posted(request)
            self._check(request, form)
        except MemorandaError as error:
            return self._site.problem(request, _refused(error), None)
        now = self._site.look(request)
        wanted = (
            f"{form.get('language', (now.language,))[-1]}.{form.get('theme', (now.theme,))[-1]}"
        )
        chosen = Look.of(wanted, request.headers.get("accept-language", ""))
        response = answers.go(_inside(form.get("next", ("",))[-1]) or "/")
        answers.set_cookie(response, answers.LOOK, chosen.cookie, self._gate)
        return response

    def _check(self, request: Request, form: Fields) -> None:
        """Refuse a form that is not of this session, or of this visit before the login.

        Raises:
            ForeignFormError: it is not.
        """
        found = self._site.visitor(request)
        if found is not None:
            check(request, form, found[0].mark)
            return
        visit = request.cookies.get(answers.cookie_name(answers.VISIT, self._gate), "")
        if not visit:
            raise ForeignFormError
        check(request, form, self._mark(visit))

    def _mark(self, visit: str) -> str:
        return mark_of(self._site.sessions.secret, "visit", visit)

    def _form(
        self, request: Request, *, to: str = "", told: str = "", status: int = 200
    ) -> Response:
        name = answers.cookie_name(answers.VISIT, self._gate)
        visit = request.cookies.get(name, "")
        fresh = visit if len(visit) == 32 and visit.isalnum() else secrets.token_hex(16)
        look = self._site.look(request)
        values: dict[str, Any] = {
            **self._site.around(request, look, None, mark=self._mark(fresh)),
            "to": to,
            "told": told,
        }
        response = answers.page("login.html", values, status=status)
        if fresh != visit:
            answers.set_cookie(response, answers.VISIT, fresh, self._gate)
        return response


def _refused(error: MemorandaError) -> problems.Problem:
    if isinstance(error, ForeignFormError):
        return problems.refusal("role", str(error))
    return problems.of(error)


def _inside(to: str) -> str:
    """Give an address if it is one of this site; "" if it leads elsewhere."""
    parts = urlsplit(to)
    plain = to.startswith("/") and not to.startswith("//") and "\\" not in to and to.isprintable()
    return to if plain and not parts.scheme and not parts.netloc else ""
