"""An endpoint on loopback that speaks as OpenAI's or Anthropic's do, and fails as it is told to."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

Kind = Literal["openai", "anthropic"]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float


@dataclass(frozen=True, kw_only=True)
class Step:
    """What the endpoint does with one request."""

    text: str = ""
    status: int = 200
    error: str = ""
    stop: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """The whole body, instead of a reply in the endpoint's form."""
    content_type: str = "application/json"
    fault: Literal["hang", "cut", "chunks_cut", "drip", "drip_head", "reset"] | None = None
    seconds: float = 30.0
    """How long a hanging endpoint hangs, at most."""


Script = Callable[[Seen], Step]


class FakeEndpoint:
    """Real sockets, in threads of this process.

    `knows` are the ways to a structured reply that it takes; others are refused with status 400.
    """

    def __init__(
        self,
        kind: Kind,
        script: Script | list[Step],
        *,
        knows: frozenset[str] = frozenset({"schema", "tool", "json"}),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.kind = kind
        self.knows = knows
        self.seen: list[Seen] = []
        self.clock = clock
        self._script = script
        self._lock = threading.Lock()
        self._over = threading.Event()
        handler = type("Handler", (_Handler,), {"endpoint": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        port = self._server.server_address[1]
        return f"http://127.0.0.1:{port}" + ("/v1" if self.kind == "openai" else "")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def step(self, seen: Seen) -> Step:
        with self._lock:
            at = len(self.seen)
            self.seen.append(seen)
        way = way_of(self.kind, seen.body)
        if way != "plain" and way not in self.knows:
            return Step(status=400, error=f"{way}: response_format of this type is not supported")
        if callable(self._script):
            return self._script(seen)
        return self._script[min(at, len(self._script) - 1)]

    def wait(self, seconds: float) -> None:
        self._over.wait(seconds)


def way_of(kind: Kind, body: dict[str, Any]) -> str:
    """Tell by which way a request wants its reply structured."""
    if kind == "anthropic":
        if "format" in body.get("output_config", {}):
            return "schema"
        return "tool" if "tool_choice" in body else "plain"
    form = body.get("response_format", {}).get("type")
    if form:
        return {"json_schema": "schema", "json_object": "json"}[form]
    return "tool" if "tool_choice" in body else "plain"


def told(kind: Kind, step: Step, body: dict[str, Any]) -> dict[str, Any]:
    """Put a reply into the endpoint's form."""
    forced = way_of(kind, body) == "tool" and step.stop is None
    if kind == "openai":
        message: dict[str, Any] = {"role": "assistant", "content": step.text}
        if forced:
            call = {"name": "reply", "arguments": step.text}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": call}],
            }
        finish = step.stop or ("tool_calls" if forced else "stop")
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 64},
            },
        }
    block: dict[str, Any] = {"type": "text", "text": step.text}
    if forced:
        block = {"type": "tool_use", "id": "c1", "name": "reply", "input": json.loads(step.text)}
    return {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, block],
        "stop_reason": step.stop or ("tool_use" if forced else "end_turn"),
        "usage": {
            "input_tokens": 30,
            "output_tokens": 20,
            "cache_read_input_tokens": 64,
            "cache_creation_input_tokens": 6,
        },
    }


class _Handler(BaseHTTPRequestHandler):
    endpoint: FakeEndpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        pass

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(size))
        headers = {name.lower(): value for name, value in self.headers.items()}
        clock = self.endpoint.clock
        seen = Seen(path=self.path, headers=headers, body=body, at=clock())
        step = self.endpoint.step(seen)
        self.close_connection = True
        with suppress(OSError):  # the other side may have had enough
            self._answer(step, body)

    def _answer(self, step: Step, body: dict[str, Any]) -> None:
        match step.fault:
            case "hang":
                self.endpoint.wait(step.seconds)
                return
            case "reset":
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                return
            case "drip_head":
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                self._drip(b"X-Slow: " + b"a" * 2000)
                return
        data = step.raw
        if data is None:
            found = told(self.endpoint.kind, step, body) if step.status == 200 else _wrong(step)
            data = json.dumps(found).encode()
        self._send(step, data)

    def _send(self, step: Step, data: bytes) -> None:
        self.send_response(step.status)
        self.send_header("Content-Type", step.content_type)
        for name, value in step.headers.items():
            self.send_header(name, value)
        if step.fault == "chunks_cut":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data) // 2, data[: len(data) // 2]))
            return
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if step.fault == "cut":
            self.wfile.write(data[: len(data) // 2])
        elif step.fault == "drip":
            self._drip(data)
        else:
            self.wfile.write(data)

    def _drip(self, data: bytes) -> None:
        for at in range(len(data)):
            self.wfile.write(data[at : at + 1])
            self.wfile.flush()
            self.endpoint.wait(0.02)


def _wrong(step: Step) -> dict[str, Any]:
    return {"error": {"message": step.error or "it failed", "type": "error", "param": None}}
