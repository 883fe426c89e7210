"""Sharing as people do it: the device's own sheet, text for a chat, a frame, files and texts in."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import BrowserContext, Page, expect

from browser import DIST, WAIT, address_of, origin_of, saved, until
from sudoku_photos import PUZZLE, photo

SHEET = """
  globalThis.sent = [];
  Navigator.prototype.canShare = () => true;
  Navigator.prototype.share = async ({ files = [], ...data }) => {
    const kinds = files.map((file) => `${file.name} ${file.type} ${file.size > 500}`);
    sent.push({ ...data, files: kinds });
    if (globalThis.refuse) throw new DOMException("gone", globalThis.refuse);
  };
"""


def play(page: Page, site: str) -> str:
    page.goto(site + "#/code")
    expect(page.locator(".entry")).to_be_visible()
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    expect(page.locator(".options:not(.stale) .option").first).to_contain_text("3.36")
    return address_of(page)


def test_the_devices_sheet_gets_the_link_words_and_the_boards_picture(
    page: Page, site: str
) -> None:
    page.add_init_script(SHEET)
    address = play(page, site)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Send…").click()
    expect(page.locator("dialog")).to_have_count(0)
    (sent,) = page.evaluate("sent")
    assert sent["url"] == address
    assert sent["title"] == "Mastermind, 1 row"
    assert "208" in sent["text"]
    assert re.fullmatch(r"mastermind-1-row\.png image/png true", sent["files"][0])


def test_a_sheet_that_is_closed_again_is_no_mistake(page: Page, site: str) -> None:
    page.add_init_script(SHEET)
    play(page, site)
    page.evaluate("globalThis.refuse = 'AbortError'")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Send…").click()
    page.wait_for_function("() => sent.length === 1")
    expect(page.get_by_role("status").filter(has_text="did not send")).to_have_count(0)
    page.evaluate("globalThis.refuse = 'NotAllowedError'")
    page.get_by_role("button", name="Send…").click()
    expect(page.get_by_role("status").filter(has_text="did not send")).to_be_visible()


def test_text_for_a_chat_says_what_the_board_says_and_ends_with_the_link(
    page: Page, context: BrowserContext, site: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin_of(site))
    address = play(page, site)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy text for a chat").click()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == "Mastermind, 1 row. Cluewise"
    assert any("208" in line for line in lines)
    assert lines[-1] == address


def test_a_frame_for_another_page_shows_the_board(page: Page, site: str) -> None:
    play(page, site)
    page.get_by_role("button", name="Share").click()
    page.locator("dialog summary").filter(has_text="Set into another page").click()
    frame = page.get_by_role("textbox", name="Set into another page").input_value()
    source = re.search(r'src="([^"]+)"', frame)
    assert source
    assert 'title="Mastermind, 1 row"' in frame
    other = page.context.new_page()
    other.goto(source[1].replace("&amp;", "&"))
    expect(other.locator(".guess")).to_have_count(1)
    expect(other.locator(".top")).to_be_hidden()


def test_a_text_shared_with_the_installed_app_opens_its_desk(page: Page, site: str) -> None:
    page.goto(f"{site}?title=Rows&text={quote('0011 1A1B' + chr(10) + '0203 1A0B')}")
    expect(page.locator(".guess")).to_have_count(2)
    assert "text=" not in page.url
    link = address_of(page).split("#")[1]
    saved(page)
    page.goto(f"{site}?url={quote(f'https://example.org/some/where#{link}')}")
    expect(page.locator(".guess")).to_have_count(2)


def test_a_shared_text_is_read_without_a_network(
    page: Page, context: BrowserContext, site: str
) -> None:
    page.goto(site)
    until(page, "() => navigator.serviceWorker.ready.then((r) => !!r.active)")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    context.set_offline(True)
    page.goto(f"{site}?text={quote('0011 1A1B')}")
    expect(page.locator(".guess")).to_have_count(1)


SHARE = """([address, files]) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: address, enctype: "multipart/form-data" });
  const field = document.createElement("input");
  Object.assign(field, { type: "file", name: "files", multiple: true });
  const data = new DataTransfer();
  for (const [name, type, text] of files) {
    data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type }));
  }
  field.files = data.files;
  form.append(field);
  document.body.append(form);
  form.submit();
}"""


def shared(page: Page, site: str, *files: tuple[str, str, bytes]) -> None:
    """What the device's share sheet does once the app is installed: a form is sent to it."""
    page.goto(site)
    until(page, "() => navigator.serviceWorker.ready.then((r) => !!r.active)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto("about:blank")  # the sheet is no page of ours
    told = [[name, kind, b64encode(data).decode()] for name, kind, data in files]
    page.evaluate(SHARE, [f"{site}share", told])


def test_a_picture_from_the_share_sheet_is_read_and_not_kept(page: Page, site: str) -> None:
    shared(page, site, ("newspaper.jpg", "image/jpeg", photo(PUZZLE)))
    expect(page.locator("#desk[data-desk=sudoku]")).to_be_visible()
    expect(page.locator(".photo-board .grid-box text")).to_have_count(17, timeout=3 * WAIT)
    assert not page.evaluate("async () => (await caches.keys()).some((k) => k.endsWith('shared'))")


def test_a_text_file_from_the_share_sheet_is_read(page: Page, site: str) -> None:
    shared(page, site, ("rows.txt", "text/plain", b"0011 1A1B\n0203 1A0B\n"))
    expect(page.locator(".guess")).to_have_count(2)


def test_files_that_the_system_opens_are_read(page: Page, site: str) -> None:
    page.add_init_script(
        "Object.defineProperty(globalThis, 'launchQueue', "
        "{ value: { setConsumer(take) { globalThis.launch = take; } } });"
    )
    page.goto(site + "#/sudoku")
    expect(page.locator("#desk[data-desk=sudoku] h1").first).to_be_visible()
    page.wait_for_function("() => Boolean(globalThis.launch)")
    page.evaluate(
        """async (text) => {
          const file = new File([text], "rows.txt", { type: "text/plain" });
          await launch({ files: [{ getFile: async () => file }] });
        }""",
        "0011 1A1B\n0203 1A0B\n",
    )
    expect(page.locator(".guess")).to_have_count(2)


def test_a_file_with_everything_is_joined_wherever_it_is_dropped(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    expect(page.locator(".entry")).to_be_visible()
    text = json.dumps({"format": "cluewise-everything", "version": 2, "kept": {}})
    page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "all.json", { type: "application/json" }));
          const how = { dataTransfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", how));
        }""",
        text,
    )
    expect(page.get_by_role("status").filter(has_text="was here already")).to_be_visible()


def test_the_manifest_takes_texts_and_files_and_its_pictures_are_there() -> None:
    manifest = json.loads(Path(DIST, "manifest.webmanifest").read_text())
    target = manifest["share_target"]
    words = {name: name for name in ("title", "text", "url")}
    assert {**target["params"], "files": None} == {**words, "files": None}
    assert (target["action"], target["method"]) == ("./share", "POST")
    assert "image/*" in target["params"]["files"][0]["accept"]
    kinds = {
        end for one in manifest["file_handlers"] for ends in one["accept"].values() for end in ends
    }
    assert kinds >= {".json", ".puz", ".txt", ".sdk", ".sdm", ".csv"}
    page = Path(DIST, "index.html").read_text()
    pictures = re.findall(r'(?:og:image" content|apple-touch-icon" href)="([^"]+)"', page)
    assert len(pictures) == 2
    for name in [*pictures, *(icon["src"] for icon in manifest["icons"])]:
        assert Path(DIST, name).stat().st_size > 200, name
