"""A headless Chromium for the tests, and what may not be found in a page."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip

ACTIVE = """
(root) => {
  const found = [];
  const told = (what, node) => found.push(what + ": " + node.outerHTML.slice(0, 160));
  const banned = "iframe,object,embed,base,video,audio,img,image,use,animate,set,foreignObject," +
    "math,style,template,portal,applet,frame,noscript,area,source,track,dialog";
  for (const node of root.querySelectorAll(banned)) told("element", node);
  for (const node of root.querySelectorAll("script")) {
    if (node.getAttribute("src") !== "/static/page.js" || node.textContent) told("script", node);
  }
  for (const node of root.querySelectorAll("link")) {
    if (!/^\\/static\\//.test(node.getAttribute("href"))) told("link", node);
  }
  for (const node of root.querySelectorAll("meta[http-equiv]")) told("meta", node);
  const places = ["href", "src", "action", "formaction", "xlink:href", "data", "poster", "srcset",
    "ping", "background", "srcdoc", "style"];
  for (const node of root.querySelectorAll("*")) {
    for (const {name, value} of node.attributes) {
      if (/^on/i.test(name)) told("handler", node);
      if (!places.includes(name.toLowerCase())) continue;
      const ours = /^(\\/(?!\\/)|#|\\?)/.test(value);
      const link = node.tagName === "A" && name === "href" && /^(https?:\\/\\/|mailto:)/i.test(value)
        && node.rel.includes("noopener") && node.closest(".prose");
      if (!ours && !link) told(name, node);
    }
  }
  if (root.querySelectorAll("main").length !== 1) found.push("main: not one");
  if (root.querySelectorAll("h1").length !== 1) found.push("h1: not one");
  for (const form of root.querySelectorAll("form")) {
    if ((form.method === "post") !== !!form.querySelector("input[name=mark]")) told("form", form);
  }
  return found;
}
"""
"""Gives what is active in a document beyond our own script, or breaks out of its place."""

PARSED = f"""
(pages) => pages.map((page) => ({ACTIVE})(new DOMParser().parseFromString(page, "text/html")))
"""


@contextmanager
def browser() -> Iterator[Any]:
    """Start Chromium; skip where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="the package `playwright` is missing")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on the path")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def see(what: Any) -> Any:
    """Give claims on a place in a page, which wait: a click does not, what it leads to comes later."""
    expect = importlib.import_module("playwright.sync_api").expect
    expect.set_options(timeout=10_000)
    return expect(what)


class Person:
    """Somebody at a browser: what was asked of the network and what went wrong is kept."""

    def __init__(self, chromium: Any, base: str, **context: Any) -> None:
        given = {"viewport": {"width": 1280, "height": 860}, "locale": "en-US", **context}
        self.context = chromium.new_context(**given)
        self.context.set_default_timeout(10_000)
        self.page = self.context.new_page()
        self.base = base
        self.outside: list[str] = []
        self.faults: list[str] = []
        self.context.on("request", self._asked)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.faults.append("dialog"), dialog.dismiss()))
        self.page.on("console", self._said)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(self.base + "/"):
            self.outside.append(request.url)

    def _said(self, message: Any) -> None:
        if message.type == "error" and "status of 4" not in message.text:
            self.faults.append(message.text)

    def login(self, token: str) -> None:
        """Log in as a person does."""
        self.page.goto(self.base + "/")
        self.page.get_by_label("Token").fill(token)
        self.page.get_by_role("button", name="Log in").click()
        self.page.wait_for_url(lambda url: "/login" not in url)

    def goto(self, path: str) -> Any:
        """Open a page."""
        self.page.goto(self.base + path)
        return self.page

    def close(self) -> None:
        """Close, and say that all was well."""
        self.context.close()
        assert self.faults == []
        assert self.outside == []
