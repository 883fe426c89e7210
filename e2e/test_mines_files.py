"""Many files of puzzles at once: rated one after another, stopped, saved; archives among them."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zipfile
from pathlib import Path

import msgspec
from playwright.sync_api import FilePayload, Page, expect

from browser import ROOT
from cluewise.core.work import finish
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.campaign import Level, write_campaign
from cluewise.desks.mines.results import RateOptions
from cluewise.desks.mines.verbs.rate import rate

PUBLISHED = ROOT / "tests" / "vectors" / "mines-published.json"
DROPPED = """(part, [name, text]) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name));
  part.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


def locks(size: int) -> list[str]:
    """The published locks of that size as text."""
    boards = [b for b in json.loads(PUBLISHED.read_text())["boards"] if b["size"] == size]
    rows = [[b["layout"][i : i + size] for i in range(0, size * size, size)] for b in boards]
    return ["\n".join(lines) for lines in rows]


def test_many_files_are_rated_with_their_progress(page: Page, site: str, tmp_path: Path) -> None:
    """Published locks beside a broken file: a row each, the fault with its place; saved."""
    for n, text in enumerate(locks(8)[:3], 1):
        (tmp_path / f"lock {n}.txt").write_text(text)
    (tmp_path / "lock 2b.puz").write_text("<PUZZLE>\n<ID>\n1\n</ID>\nnonsense")
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    part = page.locator(".mines-part", has_text="Rate many puzzles")
    part.locator("input").set_input_files(sorted(tmp_path.iterdir()))
    expect(part.locator("tbody tr")).to_have_count(4)
    expect(part.locator("tbody tr").first).to_contain_text("lock 1")
    expect(part.locator("tbody tr").filter(has_text="no guess")).to_have_count(3)
    broken = part.locator("tbody tr", has_text="lock 2b.puz")
    expect(broken).to_contain_text(re.compile(r"line \d", re.IGNORECASE))
    expect(part.locator("[aria-busy=false]")).to_be_visible()
    with page.expect_download() as saved:
        part.get_by_role("button", name="Save as a table").click()
    table = list(csv.DictReader(saved.value.path().read_text().splitlines()))
    assert [row["no_guess"] for row in table] == ["true", "true", "", "true"]
    assert all(float(row["difficulty"]) > 0 for row in table if row["difficulty"])
    assert table[2]["fault"]

    many: list[FilePayload] = [
        {"name": f"{n}.txt", "mimeType": "text/plain", "buffer": text.encode()}
        for n, text in enumerate(locks(12) * 3)
    ]
    part.locator("input").set_input_files(many)
    expect(part.locator("tbody tr").first).to_contain_text("0.txt")
    expect(part.get_by_role("progressbar")).to_be_visible()
    part.get_by_role("button", name="Stop").click()
    expect(part.get_by_text(f"of {len(many)}. What is done stays.")).to_be_visible()
    expect(part.locator("tbody tr").first).to_contain_text("0.txt")
    expect(part.get_by_role("button", name="Save as a table")).to_be_visible()


def campaign() -> bytes:
    """Two levels as the terminal packs them, with a damaged file and one that is no puzzle."""
    named = {"First level": locks(8)[0], "Second level": locks(8)[2]}
    levels = [msgspec.structs.replace(read(text), title=title) for title, text in named.items()]
    packed = io.BytesIO(write_campaign([Level(level, None, []) for level in levels]))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("003-broken.puz", "<PUZZLE>\n<ID>\n1\n</ID>\nnonsense")
        archive.writestr("cover.png", b"no puzzle")
    return packed.getvalue()


def test_the_levels_of_an_archive_are_rated_in_their_order(page: Page, site: str) -> None:
    """A campaign beside a plain file, chosen; then a cut archive and a whole one, dropped."""
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    part = page.locator(".mines-part", has_text="Rate many puzzles")
    rows = part.locator("tbody tr")
    plain: FilePayload = {
        "name": "lock.txt", "mimeType": "text/plain", "buffer": locks(8)[3].encode()
    }  # fmt: skip
    packed: FilePayload = {
        "name": "levels.zip", "mimeType": "application/zip", "buffer": campaign()
    }  # fmt: skip
    part.locator("input").set_input_files([plain, packed])
    expect(part.locator("[aria-busy=false]")).to_be_visible()
    names = ["First level", "Second level", "levels.zip/003-broken.puz", "lock.txt"]
    expect(rows.locator("th")).to_have_text(names)
    expect(rows.filter(has_text="no guess")).to_have_count(3)
    expect(rows.nth(2)).to_contain_text(re.compile(r"line \d", re.IGNORECASE))

    def drop(data: bytes) -> None:
        part.evaluate(DROPPED, ["levels.zip", base64.b64encode(data).decode()])

    drop(campaign()[:400])
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("This archive is damaged")
    expect(part.locator("[aria-busy=false]")).to_be_visible()
    drop(campaign())
    expect(rows).to_have_count(3)
    expect(part.locator("[aria-busy=false]")).to_be_visible()
    expect(rows.filter(has_text="no guess")).to_have_count(2)


def test_rated_levels_are_saved_as_the_terminal_packs_them(page: Page, site: str) -> None:
    """Three locks, one of them without a title; twice the same one is refused by its places."""
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    part = page.locator(".mines-part", has_text="Rate many puzzles")
    texts = locks(6)[:3]

    def choose(files: list[str]) -> None:
        chosen: list[FilePayload] = [
            {"name": f"{n}.txt", "mimeType": "text/plain", "buffer": text.encode()}
            for n, text in enumerate(files)
        ]
        part.locator("input").set_input_files(chosen)
        expect(part.locator("tbody tr")).to_have_count(len(files))
        expect(part.locator("[aria-busy=false]")).to_be_visible()

    choose(texts)
    with page.expect_download() as saved:
        part.get_by_role("button", name="Save as a campaign").click()
    levels = []
    for text in texts:
        position = read(text)
        rated = finish(rate(position, RateOptions()))
        levels.append(Level(position, rated.smooth, rated.steps))
    assert unpacked(saved.value.path().read_bytes()) == unpacked(write_campaign(levels))
    choose([texts[0], texts[1], texts[0]])
    part.get_by_role("button", name="Save as a campaign").click()
    expect(part.get_by_text("Levels 1 and 3 have the same ID")).to_be_visible()


def unpacked(data: bytes) -> dict[str, str]:
    """The files of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}
