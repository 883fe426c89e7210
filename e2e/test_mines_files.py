"""Many files of puzzles at once: rated one after another, stopped, saved."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from browser import ROOT

PUBLISHED = ROOT / "tests" / "vectors" / "mines-published.json"


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
