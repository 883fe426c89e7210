"""A picture from the device's share sheet; the rest: tests/page/share.test.mjs."""

from base64 import b64encode

import pytest
from playwright.sync_api import Page, expect

from browser import WAIT, until
from sudoku_photos import PUZZLE, photo

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


@pytest.mark.service_worker
def test_a_picture_from_the_share_sheet_is_read_and_not_kept(page: Page, site: str) -> None:
    shared(page, site, ("newspaper.jpg", "image/jpeg", photo(PUZZLE)))
    page.locator("dialog").get_by_role("button", name="Sudoku").click()
    expect(page.locator("#desk[data-desk=sudoku]")).to_be_visible()
    expect(page.locator(".photo-board .grid-box text")).to_have_count(17, timeout=3 * WAIT)
    assert not page.evaluate("async () => (await caches.keys()).some((k) => k.endsWith('shared'))")
