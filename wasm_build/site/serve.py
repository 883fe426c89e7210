"""Serve dist/ on this machine: `python -m wasm_build.site.serve` prints the address.

The Content-Security-Policy is sent as a header too, because the page's <meta> does not apply to its
worker. The options imitate other hosts; playing needs none of them.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wasm_build.site import http_headers
from wasm_build.site.http_headers import POLICY, WHEEL
from wasm_build.stages import ROOT

POLICIES = {
    "full": POLICY,
    "no-wasm": POLICY.replace(" 'wasm-unsafe-eval'", ""),
    "none": None,
}
TYPES = http_headers.TYPES | {".html": "text/html; charset=utf-8"}


class Handler(SimpleHTTPRequestHandler):
    """Serves the files of a folder under a path, with the policy as a header."""

    protocol_version = "HTTP/1.1"  # persistent connections, as on every real host
    extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES
    path = "/"  # until a request has been read; an error may be answered before

    def __init__(self, *args: Any, policy: str | None, under: str, **kwargs: Any) -> None:
        self.policy = policy
        self.under = under
        super().__init__(*args, **kwargs)

    def send_head(self) -> Any:
        """Answer 404 for a path outside `under`."""
        path = urlsplit(self.path).path
        if not path.startswith(self.under):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        self.path = "/" + self.path[len(self.under) :]
        return super().send_head()

    def end_headers(self) -> None:
        """Send the policy, `no-cache`, so that rebuilt files are seen, and CORS for the wheel."""
        if self.policy is not None:
            self.send_header("Content-Security-Policy", self.policy)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        if self.path.startswith("/wheel/"):
            for name, value in WHEEL.items():
                self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Do not log requests."""


class Server(ThreadingHTTPServer):
    """A server on the loopback interface; `address` is the page's."""

    daemon_threads = True
    request_queue_size = 64
    handler: type[Handler] = Handler

    def __init__(
        self, folder: Path, port: int = 0, *, policy: str = "full", under: str = "/"
    ) -> None:
        under = f"/{under.strip('/')}/".replace("//", "/")
        handler = partial(self.handler, directory=str(folder), policy=POLICIES[policy], under=under)
        super().__init__(("127.0.0.1", port), handler)
        self.address = f"http://127.0.0.1:{self.server_port}{under}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that close the connection in the middle of a file."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    parser.add_argument("--csp", choices=sorted(POLICIES), default="full", help="the policy header")
    parser.add_argument("--no-headers", action="store_true", help="the same as --csp none")
    parser.add_argument("--under", default="/", help="path under which the folder is served")
    options = parser.parse_args()
    policy = "none" if options.no_headers else options.csp
    if not (options.folder / "index.html").exists():
        sys.exit(f"{options.folder} holds no page; run make dist first.")
    try:
        server = Server(options.folder, options.port, policy=policy, under=options.under)
    except OSError as problem:
        sys.exit(f"Port {options.port} is not available: {problem.strerror}.")
    print(f"Cluewise is at {server.address}  (Ctrl-C stops it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
