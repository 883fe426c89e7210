"""Web servers as they are found in the world: dist/ with the habits of other hosts."""

import gzip
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from pwd import getpwuid
from typing import Any
from urllib.parse import urlsplit

from browser import DIST

NGINX = Path("/usr/sbin/nginx")
PIECE = 16_384
ZIPPED = {".html", ".css", ".js", ".json", ".svg", ".wasm", ".webmanifest"}

# /etc/nginx/mime.types of Debian's nginx 1.22 knows these of ours; all else is its default_type.
STOCK_NGINX = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript",
    ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
    ".wasm": "application/wasm", ".zip": "application/zip",
}  # fmt: skip
NO_WASM = {k: v for k, v in STOCK_NGINX.items() if k != ".wasm"}
PLAIN_WASM = {**STOCK_NGINX, ".wasm": "text/plain"}


@dataclass(frozen=True)
class Habits:
    """What a host does; by default what a plain one does that was set up for nothing."""

    types: Mapping[str, str] = field(default_factory=lambda: STOCK_NGINX)
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: str = "(?!)"  # names that are not there, as a pattern
    page_instead: bool = False  # index.html in place of a 404, as hosts of single pages do
    rate: float = 0.0  # bytes a second over all connections; 0: no limit
    delay: float = 0.0  # seconds from a question to the first byte
    zipped: bool = False  # what shrinks goes out compressed, as from most hosts
    stall: str = "(?!)"  # names of which half arrives, and then nothing more
    protocol: str = "HTTP/1.1"


class Host(ThreadingHTTPServer):
    """A server with those habits; `address` is what a person opens."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, habits: Habits, folder: Path) -> None:
        self.habits = habits
        self.folder = folder
        self.over = threading.Event()
        self._line = threading.Lock()
        self._free = 0.0
        self._packed: dict[Path, bytes] = {}
        self.sent: list[tuple[float, int]] = []  # when (seconds since 1970), and how many bytes
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}/"

    def wait_for_the_line(self, size: int) -> None:
        """One line for all connections: whoever has a piece to send waits its turn."""
        if not self.habits.rate:
            return
        with self._line:
            now = time.monotonic()
            self._free = max(self._free, now) + size / self.habits.rate
            wait = self._free - now
        self.over.wait(wait)

    def packed(self, path: Path) -> bytes | None:
        """The file compressed; None if it is sent as it is."""
        if not self.habits.zipped or path.suffix not in ZIPPED:
            return None
        if path not in self._packed:
            self._packed[path] = gzip.compress(path.read_bytes(), 6)
        return self._packed[path]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up in the middle of a file is no news."""


class _Handler(SimpleHTTPRequestHandler):
    server: Host

    def do_GET(self) -> None:
        """The file, in the host's way."""
        habits = self.server.habits
        self.protocol_version = habits.protocol
        name = urlsplit(self.path).path.lstrip("/") or "index.html"
        path = self.server.folder / name
        there = path.is_file() and not re.search(habits.missing, name)
        if not there and not habits.page_instead:
            self.send_error(404)
            return
        path = path if there else self.server.folder / "index.html"
        packed = self.server.packed(path)
        data = packed or path.read_bytes()
        self.server.over.wait(habits.delay)
        self.send_response(200)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", habits.types.get(path.suffix, "application/octet-stream"))
        for key, value in habits.headers.items():
            self.send_header(key, value)
        if habits.protocol == "HTTP/1.0":
            self.close_connection = True  # its end is the end of the file
        else:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self._send(data, name)

    def _send(self, data: bytes, name: str) -> None:
        habits = self.server.habits
        stalls = re.search(habits.stall, name)
        for at in range(0, len(data) // 2 if stalls else len(data), PIECE):
            piece = data[at : at + PIECE]
            self.server.wait_for_the_line(len(piece))
            self.wfile.write(piece)
            self.server.sent.append((time.time(), len(piece)))
        if stalls:
            self.wfile.flush()
            self.server.over.wait()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing about each request."""


@contextmanager
def hosted(folder: Path = DIST, **habits: Any) -> Iterator[str]:
    """The folder on a host with these habits; gives the address."""
    with running(Host(Habits(**habits), folder)) as server:
        yield server.address


@contextmanager
def running(server: Host) -> Iterator[Host]:
    """The host at work."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


@contextmanager
def stock_nginx(scratch: Path, folder: Path = DIST) -> Iterator[str]:
    """The folder behind Debian's nginx with the types it comes with and nothing else set."""
    port = _free_port()
    configuration = scratch / "nginx.conf"
    places = "".join(
        f"{kind}_temp_path {scratch}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Its workers would be somebody else, who may not read a folder of this account's.
    account = f"user {getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    configuration.write_text(
        f"{account} daemon off; pid {scratch}/pid; error_log stderr; events {{}}\n"
        f"http {{ include /etc/nginx/mime.types; default_type application/octet-stream;\n"
        f"access_log off;\n{places}"
        f"server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
    )
    process = subprocess.Popen([NGINX, "-c", configuration, "-p", scratch], stderr=subprocess.PIPE)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.communicate(timeout=10)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(port: int) -> None:
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port}")
