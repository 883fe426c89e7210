"""Parts of the fixtures: a watched browser context, dist/ on a test server, waits, measures."""

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Request,
    expect,
)

from wasm_build.site.serve import POLICIES, Server

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
WHOLE = os.environ.get("CLUEWISE_RUNTIME") == "whole"  # the build has Pyodide's whole module only
RUNTIME_FILE = "pyodide.asm.bin" if WHOLE else "runtime.bin"
WAIT = 60_000  # ms; reached only by failures and on a heavily loaded machine
CHROMIUM = Path("/usr/bin/chromium")
HEADLESS_SHELL = Path("/usr/bin/chromium-headless-shell")  # the same engine at a third of the cost
FIREFOX = Path("/usr/bin/firefox-esr")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
BLOCKED = "Service Worker registration blocked by Playwright"  # it says so in the console
# Policy violations of documents also reach the console, but not in every browser.
LISTEN = """
  globalThis.violations = [];
  addEventListener("securitypolicyviolation", (event) =>
    violations.push(`${event.effectiveDirective} refused ${event.blockedURI}`));
"""

# A guess that the code desk advises; the rest of the desk is drawn before Python has started.
ADVICE = ".options .option"

# Pastes a text outside any field.
PASTED = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def launch_chromium(playwright: Playwright) -> Browser:
    """Start the machine's Chromium, or Playwright's own, for a script outside the tests."""
    path = CHROMIUM if CHROMIUM.exists() else None
    return playwright.chromium.launch(args=FLAGS, executable_path=path)


def origin_of(address: str) -> str:
    """Return `http://127.0.0.1:8000` for `http://127.0.0.1:8000/a/b`."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def address_of(page: Page) -> str:
    """Return the page's address once it is up to date; it is written shortly after a change."""
    page.wait_for_function("() => document.documentElement.dataset.address === 'current'")
    return str(page.evaluate("location.href"))


EXAMPLE = """async ([desk, title]) => {
  const [{ examples }, link] = await Promise.all([
    import(`./desks/${desk}/examples.js`), import("./session/link.js")]);
  const example = examples.find((one) => one.title === title);
  return link.encode(desk, example.position);
}"""


def example(page: Page, desk: str, title: str) -> None:
    """Open one of the desk's examples, as the home page's list does."""
    fragment = page.evaluate(EXAMPLE, [desk, title])
    page.evaluate("fragment => { location.hash = fragment }", fragment)


SAVED = "() => document.documentElement.dataset.saved === 'current'"


def saved(page: Page) -> None:
    """Wait until all changes are stored in the browser."""
    page.wait_for_function(SAVED)


def until(page: Page, script: str, arg: object = None) -> None:
    """Wait until an async function returns true; `wait_for_function` treats any promise as true."""
    page.evaluate(
        f"""async ([arg, limit]) => {{
          const holds = {script};
          const ends = performance.now() + limit;
          while (!(await holds(arg))) {{
            if (performance.now() > ends) throw new Error("The condition was not met in time.");
            await new Promise((resolve) => setTimeout(resolve, 50));
          }}
        }}""",
        [arg, WAIT],
    )


KEPT = """async (part) => {
  for (const key of await caches.keys())
    for (const { url } of await (await caches.open(key)).keys())
      if (url.includes(part)) return true;
  return false;
}"""


FRAMES = 3  # consecutive frames with equal values before a value counts as settled
SIZE = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def measured(page: Page, script: str = SIZE, arg: object = None) -> Any:
    """Return the value of a function of the page once FRAMES frames in a row give the same value.

    The layout follows the window, fonts and answers with a delay: media queries, ResizeObserver and
    boards drawn on demand. This also waits for the answers of an open desk and for finite
    animations. If the function throws, because its element is missing, it is called again; a
    failure contains the last value or error.
    """
    return page.evaluate(
        f"""async ([arg, frames, limit]) => {{
          const measure = {script};
          const desk = document.getElementById("desk");
          const moving = () => (desk?.dataset.desk && desk.dataset.answers !== "current")
            || document.getAnimations().some((one) => one.playState === "running"
              && one.effect?.getComputedTiming().endTime !== Infinity);
          const ends = performance.now() + limit;
          for (let same = 0, last; ; ) {{
            await new Promise((drawn) => requestAnimationFrame(drawn));
            let now;
            let failed = false;
            try {{
              now = JSON.stringify(await measure(arg)) ?? "null";
            }} catch (problem) {{
              now = String(problem);
              failed = true;
            }}
            same = now === last && !failed && !moving() ? same + 1 : 0;
            if (same === frames) return JSON.parse(now);
            if (performance.now() > ends) throw new Error(`still changing or not there: ${{now}}`);
            last = now;
          }}
        }}""",
        [arg, FRAMES, WAIT],
    )


# Null if the element was replaced during the wait.
BOX = """async (e, limit) => {
  const desk = document.getElementById("desk");
  const ends = performance.now() + limit;
  for (let last; e.isConnected; ) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const { x, y, width, height } = e.getBoundingClientRect();
    const now = [x, y, width, height].join();
    const answered = !desk?.dataset.desk || desk.dataset.answers === "current";
    if (answered && now === last) {
      const hit = e.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      return { x, y, width, height, hit };
    }
    if (performance.now() > ends) throw new Error(`answered: ${answered}, still moving: ${now}`);
    last = now;
  }
  return null;
}"""


def box_of(thing: Locator) -> dict[str, float]:
    """Return the bounding box of a visible element once its position is stable.

    All answers of an open desk are current, and two consecutive frames give the same box. Keys:
    `x`, `y`, `width` and `height` in pixels of the window, and `hit`: whether a click at the centre
    reaches the element.
    """
    for _ in range(10):
        expect(thing).to_be_visible()
        if box := thing.evaluate(BOX, WAIT):
            return dict(box)
    raise AssertionError(f"{thing} is replaced repeatedly")


def resize(page: Page, width: int, height: int = 844) -> None:
    """Resize the window and wait until the page's media queries and layout have followed."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "([w, h]) => matchMedia(`(width: ${w}px) and (height: ${h}px)`).matches",
        arg=[width, height],
    )
    measured(page)


def touches(page: Page) -> Callable[..., None]:
    """Return a function that sends a touch event, with a finger at each of its points.

    `touch("touchMove", (30, 40))`; without points all fingers are lifted.
    """
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    return touch


class Watch:
    """Collects errors, warnings, policy violations and foreign requests of a browser context."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self._origin = origin
        self._allowed = [BLOCKED]
        self._found: list[str] = []
        context.on("console", self._console)
        context.on("weberror", lambda event: self._found.append(f"uncaught: {event.error}"))
        context.on("request", self._request)
        context.add_init_script(LISTEN)
        self._context = context

    def allow(self, pattern: str) -> None:
        """Allow complaints that match this pattern."""
        self._allowed.append(pattern)

    def complaints(self) -> list[str]:
        """Return the complaints since the last call, without the allowed ones."""
        found, self._found[:] = list(self._found), []
        for page in self._context.pages:
            if page.url.startswith(self._origin):
                found += page.evaluate("() => globalThis.violations?.splice(0) ?? []")
        return [x for x in found if not any(re.search(p, x) for p in self._allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._found.append(f"console {message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and not request.url.startswith(
            self._origin
        ):
            self._found.append(f"request to another origin: {request.url}")


@contextmanager
def served(
    kind: type[Server] = Server, folder: Path | None = None, **switches: Any
) -> Iterator[str]:
    """Serve dist/ or another folder on a free port; yields the address."""
    server = kind(folder or DIST, **switches)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.address
    finally:
        server.shutdown()
        server.server_close()


# An empty document of the site, for tests of the engine without the shell. `engine` and `phases`
# are globals there.
EMPTY = "<!doctype html><title>The engine alone</title>"
ENGINE = """async () => {
  const { createEngine } = await import(new URL("engine/client.js", document.baseURI));
  globalThis.phases = [];
  globalThis.engine = createEngine({ onPhase: (phase) => phases.push(phase), ...globalThis.parts });
  globalThis.ask = (desk, want, position, options) => engine.ask({ desk, want, position, options })
    .promise.catch((fault) => ({ kind: fault.kind, message: fault.message, where: fault.where }));
  return engine.ready.catch((fault) => ({ kind: fault.kind, message: fault.message }));
}"""


def open_engine(
    page: Page, address: str, policy: str | None = POLICIES["full"], before: str = "() => {}"
) -> Any:
    """Start an engine without the shell; return `{"desks": […]}` or a fault.

    `before` may set `globalThis.parts`, the options of `createEngine`. The page has the address of
    a root file that the service worker does not handle.
    """
    headers = {} if policy is None else {"Content-Security-Policy": policy}
    page.route(
        "**/vercel.json",
        lambda route: route.fulfill(body=EMPTY, content_type="text/html", headers=headers),
    )
    page.goto(address + "vercel.json")
    page.evaluate(before)
    return page.evaluate(ENGINE)


def open_context(
    opener: Callable[..., BrowserContext], request: pytest.FixtureRequest, **options: Any
) -> BrowserContext:
    """Return a context with workers and service worker according to the markers of the test."""
    if request.node.get_closest_marker("service_worker") is None:
        options.setdefault("service_workers", "block")
    own_worker = request.node.get_closest_marker("own_worker") is not None
    script = "" if own_worker or request.config.getoption("own_workers") else pool_of(request)
    context = opener(**options)
    context.set_default_timeout(WAIT)
    if script:
        context.add_init_script(script)
    return context


def pool_of(request: pytest.FixtureRequest) -> str:
    """Return the pool's script; the pool starts with the first test that shares workers."""
    return str(request.getfixturevalue("worker_pool"))


class KeptPages:
    """Pages that are reused by the tests of a module, which only show states and inspect them.

    One page per set of context options. A complaint of its context fails the running test; a page
    that a failed test left with an open dialog is reloaded.
    """

    def __init__(self, open_one: Callable[..., BrowserContext], site: str) -> None:
        self._open = open_one
        self._site = site
        self._pages: dict[str, tuple[Page, Watch]] = {}

    def __call__(self, path: str = "", **options: Any) -> Page:
        """Return the page with these options, first opened at `path`."""
        key = repr((path, sorted(options.items())))
        if key not in self._pages:
            context = self._open(**options)
            watch = Watch(context, origin_of(self._site))
            page = context.new_page()
            page.goto(self._site + path)
            self._pages[key] = page, watch
        page, _ = self._pages[key]
        if page.locator("dialog[open]").count():
            page.reload()
        return page

    def complaints(self) -> list[str]:
        """Return the complaints of all pages since the last call."""
        return [one for _, watch in self._pages.values() for one in watch.complaints()]

    def close(self) -> None:
        """Close every context."""
        for page, _ in self._pages.values():
            page.context.close()
