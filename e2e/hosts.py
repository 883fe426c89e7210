"""Test servers that behave like common web hosts: types, headers, compression, rates, failures."""

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

# /etc/nginx/mime.types of Debian's nginx 1.22 has these types; all others have its default_type.
STOCK_NGINX = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript",
    ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
    ".wasm": "application/wasm", ".zip": "application/zip",
}  # fmt: skip
NO_WASM = {k: v for k, v in STOCK_NGINX.items() if k != ".wasm"}
PLAIN_WASM = {**STOCK_NGINX, ".wasm": "text/plain"}


@dataclass(frozen=True)
class Habits:
    """The behaviour of a host, by default that of an unconfigured one."""

    types: Mapping[str, str] = field(default_factory=lambda: STOCK_NGINX)
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: str = "(?!)"  # pattern of names that are answered with 404
    page_instead: bool = False  # index.html instead of a 404, as hosts of single-page apps do
    rate: float = 0.0  # bytes per second over all connections; 0: no limit
    delay: float = 0.0  # seconds from a request to the first byte
    zipped: bool = False  # compressible files are sent gzipped, as by most hosts
    stall: str = "(?!)"  # pattern of names of which only the first half is sent
    protocol: str = "HTTP/1.1"


class Host(ThreadingHTTPServer):
    """A server with this behaviour at `address`."""

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

    def wait_for_bandwidth(self, size: int) -> None:
        """Wait until the shared connection of limited rate has sent these bytes."""
        if not self.habits.rate:
            return
        with self._line:
            now = time.monotonic()
            self._free = max(self._free, now) + size / self.habits.rate
            wait = self._free - now
        self.over.wait(wait)

    def packed(self, path: Path) -> bytes | None:
        """Return the gzipped file, or None if it is sent uncompressed."""
        if not self.habits.zipped or path.suffix not in ZIPPED:
            return None
        if path not in self._packed:
            self._packed[path] = gzip.compress(path.read_bytes(), 6)
        return self._packed[path]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that close a connection in the middle of a file."""


class _Handler(SimpleHTTPRequestHandler):
    server: Host

    def do_GET(self) -> None:
        """Send the file with the host's behaviour."""
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
            self.close_connection = True  # marks the end of the file
        else:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self._send(data, name)

    def _send(self, data: bytes, name: str) -> None:
        habits = self.server.habits
        stalls = re.search(habits.stall, name)
        for at in range(0, len(data) // 2 if stalls else len(data), PIECE):
            piece = data[at : at + PIECE]
            self.server.wait_for_bandwidth(len(piece))
            self.wfile.write(piece)
            self.server.sent.append((time.time(), len(piece)))
        if stalls:
            self.wfile.flush()
            self.server.over.wait()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Print nothing."""


@contextmanager
def hosted(folder: Path = DIST, **habits: Any) -> Iterator[str]:
    """Serve the folder on a host with this behaviour; yields the address."""
    with running(Host(Habits(**habits), folder)) as server:
        yield server.address


@contextmanager
def running(server: Host) -> Iterator[Host]:
    """Run the host."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


@contextmanager
def stock_nginx(scratch: Path, folder: Path = DIST) -> Iterator[str]:
    """Serve the folder by Debian's nginx with its default types and no other configuration."""
    port = _free_port()
    configuration = scratch / "nginx.conf"
    places = "".join(
        f"{kind}_temp_path {scratch}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Otherwise its workers would run as a user who may not read this account's folder.
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
