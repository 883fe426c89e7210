"""The console: Python at a prompt, numpy, people's own wheels, a way out of an endless loop."""

import base64
import hashlib
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser import WAIT, KeptPages, measured, resize
from hosts import hosted
from test_a11y import flaws
from wasm_build.site.http_headers import POLICY

pytestmark = pytest.mark.own_worker


READY = "body[data-state=ready]"


@pytest.fixture
def console(kept_page: KeptPages) -> Page:
    """The module's console with an empty log: its start is what costs."""
    page = kept_page("console.html")
    if page.locator(READY).count() == 0:
        page.reload()
    expect(page.locator(READY)).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Python").fill("")
    return page


def enter(page: Page, source: str, keys: str = "Enter") -> None:
    """Type into the prompt; one that still works on the last input would not take it."""
    expect(page.locator(READY)).to_be_visible()
    page.get_by_label("Python").fill(source)
    page.get_by_label("Python").press(keys)


def last(page: Page, kind: str) -> Locator:
    return page.locator(f"#log .{kind}").last


def test_console_shows_values_output_tracebacks_and_help(console: Page) -> None:
    for source, kind, text in (
        ("6 * 7", "value", "42"),
        ("print('é' * 3)", "printed", "ééé"),
        ('run({"desk": "code", "want": "remaining", "position": {}})["count"]', "value", "1296"),
        ("help()", "printed", "Mastermind"),
        ("help", "value", 'run({"desk"'),
        ("1 / 0", "fault", "ZeroDivisionError"),
    ):
        enter(console, source)
        expect(last(console, kind)).to_contain_text(text)
    expect(last(console, "fault")).not_to_contain_text("console")


def test_block_continues_until_an_empty_line(console: Page) -> None:
    field = console.get_by_label("Python")
    field.fill("def twice(n):")
    field.press("Enter")
    expect(field).to_have_value("def twice(n):\n    ")
    field.press_sequentially("return 2 * n")
    field.press("Enter")
    expect(field).to_have_value("def twice(n):\n    return 2 * n\n    ")
    field.press("Backspace")
    expect(field).to_have_value("def twice(n):\n    return 2 * n\n")
    field.press("Enter")
    expect(field).to_have_value("")
    enter(console, "twice(21)")
    expect(last(console, "value")).to_have_text("42")


def test_stop_ends_an_endless_loop(console: Page) -> None:
    enter(console, "print('going'); n = 0\nwhile True: n += 1", "Control+Enter")
    expect(last(console, "printed")).to_have_text("going\n")
    console.get_by_role("button", name="Stop").click()
    expect(last(console, "note")).to_contain_text("Python has restarted")
    expect(console.get_by_text("with cluewise and numpy")).to_be_visible()
    enter(console, "6 * 7")
    expect(last(console, "value")).to_have_text("42")


def test_long_output_is_truncated(console: Page) -> None:
    enter(console, "for i in range(10**4): print('x' * 60)\n", "Control+Enter")
    expect(last(console, "printed")).to_contain_text("the rest is not shown")
    expect(console.get_by_role("button", name="Run")).to_be_visible()
    enter(console, "'after'")
    expect(last(console, "value")).to_have_text("'after'")


def test_numpy_await_and_the_full_library_are_available(console: Page) -> None:
    enter(console, "import numpy as np; int(np.arange(10).sum())")
    expect(last(console, "value")).to_have_text("45")
    enter(
        console, "import asyncio, unittest, html, email.headerregistry; await asyncio.sleep(0, 5)"
    )
    expect(last(console, "value")).to_have_text("5")


def wheel(folder: Path, name: str, requires: str = "") -> Path:
    """A tiny pure-Python wheel, `name.answer()` being 42."""
    info = f"{name}-1.0.dist-info"
    need = f"Requires-Dist: {requires}\n" if requires else ""
    files = {
        f"{name}.py": "def answer():\n    return 42\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{need}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}"
        for path, text in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inside, text in files.items():
            archive.writestr(inside, text)
    return path


def test_wheel_is_installed_and_reports_missing_requirements(console: Page, tmp_path: Path) -> None:
    path = wheel(tmp_path, "tinywheel", "absentwheel>=2")
    console.locator("#wheel").set_input_files(path)
    expect(last(console, "printed")).to_contain_text("tinywheel 1.0 is installed")
    expect(last(console, "printed")).to_contain_text("It requires absentwheel>=2")
    enter(console, "import tinywheel; tinywheel.answer()")
    expect(last(console, "value")).to_have_text("42")


def test_file_that_is_no_wheel_is_refused_with_a_message(console: Page, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    console.locator("#wheel").set_input_files(text)
    expect(last(console, "fault")).to_contain_text("not a pure-Python wheel")
    broken = tmp_path / "broken-1.0-py3-none-any.whl"
    broken.write_bytes(b"no zip at all")
    console.locator("#wheel").set_input_files(broken)
    expect(last(console, "fault")).to_contain_text("BadZipFile")
    enter(console, "1")
    expect(last(console, "value")).to_have_text("1")


def test_python_cannot_reach_other_sites(console: Page) -> None:
    enter(console, "from pyodide.http import pyfetch\nawait pyfetch('https://example.org/')")
    expect(last(console, "fault")).to_contain_text("blocks requests to other sites")
    enter(console, "import js; hasattr(js, 'XMLHttpRequest') or hasattr(js, 'WebSocket')")
    expect(last(console, "value")).to_have_text("False")


WAYS_OUT = {
    "fetch": "await js.fetch(URL)",
    "the fetch below ours": "await js.WorkerGlobalScope.prototype.fetch.call(js.self, URL)",
    "import": "from pyodide.code import run_js; await run_js(f'import({URL!r})')",
    "a cache": "await (await js.caches.open('x')).add(URL)",
    "a font": "await js.FontFace.new('x', f'url({URL})').load()",
    "a worker of text": "await said(js.Worker.new(f'data:text/javascript,{ASK}'))",
    "a worker of a blob": "await said(js.Worker.new(blob(ASK)))",
    "a module of a blob": "await said(js.Worker.new(blob(f'import {URL!r};'), module))",
    "another console": "await said(console())",
}
HELPERS = """
import asyncio, js, json
from pyodide.ffi import create_proxy, to_js
ASK = f"fetch({URL!r}).then(() => postMessage('out'), (e) => postMessage(String(e)))"
def plain(value): return to_js(value, dict_converter=js.Object.fromEntries)
def blob(text):
    kind = plain({"type": "text/javascript"})
    return js.URL.createObjectURL(js.Blob.new(to_js([text]), kind))
module = plain({"type": "module"})
def console():
    worker = js.Worker.new(SITE + "console/worker.js", module)
    source = f"from pyodide.code import run_js; await run_js('import({json.dumps(URL)})')\\n"
    def begin(event):
        if event.data.type == "phase" and event.data.name in ("ready", "failed"):
            worker.postMessage(plain({"type": "enter", "source": source}))
    worker.addEventListener("message", create_proxy(begin))
    return worker
async def said(worker):
    ended = asyncio.get_running_loop().create_future()
    def hear(event):
        data = getattr(event, "data", None)
        if getattr(data, "type", "done") not in ("phase", "begun", "out") and not ended.done():
            ended.set_result(str(getattr(data, "text", data)))
    for name in ("message", "error"):
        worker.addEventListener(name, create_proxy(hear))
    raise RuntimeError(await asyncio.wait_for(ended, 15))
None
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("headers", [False, True], ids=["no header", "the policy as a header"])
def test_no_browser_interface_sends_data_to_other_sites(
    headers: bool, context: BrowserContext
) -> None:
    context.set_default_timeout(WAIT)
    page = context.new_page()
    policy = {"Content-Security-Policy": POLICY} if headers else {}
    with hosted(headers=policy) as address, recording() as (elsewhere, asked):
        urllib.request.urlopen(elsewhere).read()
        assert asked.pop() == "/"  # what asks is heard
        page.goto(f"{address}console.html")
        expect(page.get_by_text("Your code stays in this browser")).to_be_visible()
        names = f"URL = {elsewhere + 'x.js'!r}; SITE = {address!r}\n"
        enter(page, names + HELPERS, "Control+Enter")
        expect(page.locator("body[data-state=ready]")).to_be_visible()
        for name, source in WAYS_OUT.items():
            before = page.locator("#log .fault").count()
            enter(page, source, "Control+Enter")
            expect(page.locator("#log .fault")).to_have_count(before + 1)
            assert asked == [], f"{name} reached another site"


@contextmanager
def recording() -> Iterator[tuple[str, list[str]]]:
    """Another site that allows all origins, with a log of its requests."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Content-Type", "text/javascript")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
            """Say nothing about each request."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()


def test_console_fits_a_phone_and_is_accessible(console: Page) -> None:
    for source in ("run({'desk': 'code', 'want': 'remaining'})", "1 / 0", "'a long line ' * 40"):
        enter(console, source)
    expect(last(console, "value")).to_contain_text("a long line")
    for width in (1440, 360):
        resize(console, width, 740)
        assert flaws(console) == []
    assert measured(console)[0] <= 360


def test_arrow_keys_recall_inputs_also_on_the_next_visit(console: Page) -> None:
    field = console.get_by_label("Python")
    for source in ("'first'", "'second'"):
        enter(console, source)
        expect(last(console, "value")).to_have_text(source)
    field.fill("half typed")
    field.press("ArrowUp")
    field.press("ArrowUp")
    expect(field).to_have_value("'first'")
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(field).to_have_value("half typed")
    other = console.context.new_page()
    other.route("**/console/worker.js", lambda route: None)  # it shows without Python
    other.goto(console.url)
    other.get_by_label("Python").press("ArrowUp")
    expect(other.get_by_label("Python")).to_have_value("'second'")
    other.close()


def test_position_is_passed_from_the_page_to_python(page: Page, site: str, console: Page) -> None:
    page.context.route("**/worker.js", lambda route: None)
    page.goto(f"{site}#/code")
    page.keyboard.type("001112")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Share").first.click()
    page.get_by_text("In Python").click()
    source = page.get_by_role("textbox", name="In Python").input_value()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open in the console").click()
    other = opened.value
    expect(other.get_by_label("Python")).to_have_value(source)
    for fragment in ('#/code/1/q1");import%20os;("', "#/chess/1/abc", "#print(1)"):
        other.goto(f"{site}console.html{fragment}")
        other.reload()
        expect(other.get_by_label("Python")).to_have_value("")  # a link of another kind
    expect(other.locator("#log .value")).to_have_count(0)  # nothing runs by itself
    enter(console, source, "Control+Enter")
    expect(last(console, "value")).to_contain_text("Advice(remaining=")


def test_notebook_runs_cell_by_cell_and_draws_a_position(console: Page) -> None:
    console.get_by_role("button", name="Scan clues").click()
    field = console.get_by_label("Python")
    for _ in range(3):
        expect(console.locator(READY)).to_be_visible()
        expect(field).not_to_have_value("")
        console.get_by_role("button", name="Run").click()
        expect(field).to_have_js_property("readOnly", value=False)
    expect(console.get_by_role("img", name="Position(")).to_be_visible()
    expect(console.locator("#log .fault")).to_have_count(0)
    expect(field).to_have_value("")
    console.set_input_files("#wheel", {"name": "x.ipynb", "mimeType": "", "buffer": b"{}"})
    expect(last(console, "fault")).to_have_text("x.ipynb is not a Jupyter notebook (nbformat 4).")
