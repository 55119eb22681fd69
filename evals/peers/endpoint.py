"""An OpenAI-compatible endpoint on loopback: chat completions and embeddings that functions make."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[Sequence[dict[str, str]]], tuple[str, int, int]]
"""Messages -> reply, tokens of the messages, tokens of the reply."""


Embed = Callable[[Sequence[str], int], tuple[list[list[float]], int]]
"""Texts, numbers of a vector -> a vector of each text, tokens of all texts."""
SIZE = 1536
"""Numbers of a vector, if a request names no other."""


@contextmanager
def serving(answer: Answer, embed: Embed | None = None) -> Iterator[str]:
    """Serve chat completions, and embeddings if `embed` is given, until the block ends.

    Gives the base URL.
    """

    class Handler(BaseHTTPRequestHandler):
        """One connection."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Answer one request."""
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if embed is not None and self.path.endswith("/embeddings"):
                reply = _embedded(embed, body)
            else:
                reply = _completed(answer, body)
            said = json.dumps(reply, ensure_ascii=False).encode("utf-8")
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _completed(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    text, tokens_in, tokens_out = answer(body["messages"])
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return {
        "id": "ideal",
        "object": "chat.completion",
        "created": 0,
        "model": "ideal",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {**usage, "total_tokens": tokens_in + tokens_out},
    }


def _embedded(embed: Embed, body: dict[str, Any]) -> dict[str, Any]:
    given = body["input"]
    texts = [given] if isinstance(given, str) else given
    vectors, tokens = embed(texts, body.get("dimensions", SIZE))
    return {
        "object": "list",
        "model": "ideal",
        "data": [
            {"object": "embedding", "index": at, "embedding": vector}
            for at, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }
