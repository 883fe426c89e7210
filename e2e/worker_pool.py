"""Started workers that the pages of one pytest process share: starting Python costs 4 CPU seconds.

One page, the host, owns real workers (engine/worker.js). Every other page gets a stand-in for
`new Worker("…/engine/worker.js")`; the host leases one of its workers to each stand-in, and their
messages go through a relay in the test server. A lease ends with `terminate()` or with the page.
A question that is open then is cancelled; a worker that does not finish it is replaced.

    with PoolServer(DIST) as server, open_pool(browser, server.address):
        context.add_init_script(stand_in(server.address))

Sharing hides faults in: the start of Python and its messages, questions asked before it is ready,
the first call of each function, a worker that another page's questions have left in a wrong state
(it shows in a later test), `terminate()` in the middle of a question, structured clones and
transfers (messages go as JSON, arrays as base64), the page's own `onerror`, and how much memory a
page takes. Tests of these have the marker `own_worker`; `--own-workers` gives it to all.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path

from playwright.sync_api import Browser, Page

from wasm_build.site.serve import Handler, Server

SCRIPT = Path(__file__).with_suffix(".js").read_text()
START_MS = 120_000  # eight browsers that start on two cores


class PoolHandler(Handler):
    """The site's files, and the relay: GET workers/<name> listens, POST workers/<name> sends."""

    server: PoolServer

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        name = self._name()
        if name is None:
            super().do_GET()
            return
        self.close_connection = True
        self.send_response(200)
        self.send_header("Connection", "close")
        self.server.listen(name, self)
        try:
            self.rfile.read(1)  # nothing comes; it returns when the page is gone
        finally:
            self.server.leave(name)

    def do_POST(self) -> None:  # noqa: N802
        name = self._name()
        lines = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if name is None:
            self.send_error(405)
            return
        self.server.send(name, lines)
        self.send_response(204)
        self.end_headers()

    def _name(self) -> str | None:
        _, found, name = self.path.partition("/workers/")
        return name if found else None


class PoolServer(Server):
    """A server of the site with the relay."""

    handler = PoolHandler

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._streams: dict[str, tuple[BufferedIOBase, threading.Lock]] = {}

    def listen(self, name: str, handler: PoolHandler) -> None:
        """Send the messages for this name to the handler's connection, after its headers."""
        lock = threading.Lock()
        with lock:
            self._streams[name] = handler.wfile, lock
            handler.end_headers()

    def leave(self, name: str) -> None:
        """The connection is closed: the host may lease the page's workers to others."""
        del self._streams[name]
        self.send("host", json.dumps({"page": name, "action": "closed"}).encode() + b"\n")

    def send(self, name: str, lines: bytes) -> None:
        """Lines for a page; they are dropped if it is gone."""
        if name in self._streams:
            stream, lock = self._streams[name]
            with lock:
                try:
                    stream.write(lines)
                except OSError:
                    return


def stand_in(site: str) -> str:
    """The script that gives a page of this site workers of the pool in place of its own."""
    return f"(() => {{ {SCRIPT}\ninstallPooledWorker({json.dumps(site)}); }})()"


@contextmanager
def open_pool(browser: Browser, site: str) -> Iterator[Page]:
    """Return the host page with its first worker ready; `pool.counts` there counts the events."""
    context = browser.new_context(service_workers="block")
    host = context.new_page()
    host.set_default_timeout(START_MS)
    host.goto(site + "startup-error.js")  # shown as text: a document of the site that runs nothing
    host.evaluate(f"() => {{ {SCRIPT}\nreturn hostWorkers({json.dumps(site)}); }}")
    yield host
    context.close()
