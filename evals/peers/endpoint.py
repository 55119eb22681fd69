"""An OpenAI-compatible endpoint on loopback that says what a function makes of the messages."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[Sequence[dict[str, str]]], tuple[str, int, int]]
"""Messages -> reply, tokens of the messages, tokens of the reply."""


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Serve chat completions until the block ends; gives the base URL."""

    class Handler(BaseHTTPRequestHandler):
        """One connection."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Answer one chat completion."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            text, tokens_in, tokens_out = answer(json.loads(body)["messages"])
            message = {"role": "assistant", "content": text}
            usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
            reply = {
                "id": "ideal",
                "object": "chat.completion",
                "created": 0,
                "model": "ideal",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {**usage, "total_tokens": tokens_in + tokens_out},
            }
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
