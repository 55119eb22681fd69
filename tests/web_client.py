"""Somebody at the pages of a real server, without a browser: logs in, keeps cookies, fills in marks."""

from __future__ import annotations

import re
from typing import Any

import httpx2

_MARK = re.compile(r'name="mark" value="([0-9a-f]+)"')


class Pages:
    """The pages of a server, for the bearer of a token."""

    def __init__(self, url: str, token: str) -> None:
        self.http = httpx2.Client(base_url=url, trust_env=False, timeout=30)
        self._mark = self._marked(self.http.get("/login").text)
        done = self.post("/login", token=token)
        assert done.status_code == 303, done.text
        self._mark = self._marked(self.http.get("/ask").text)

    def get(self, path: str, **query: Any) -> httpx2.Response:
        """Look at a page."""
        return self.http.get(path, params=query)

    def post(self, path: str, **form: Any) -> httpx2.Response:
        """Send a form."""
        return self.http.post(path, data={"mark": self._mark, **form})

    def close(self) -> None:
        self.http.close()

    def _marked(self, page: str) -> str:
        found = _MARK.search(page)
        assert found is not None, page[:300]
        return found[1]
