"""A board as a photo, and ways to bring a picture to the page as a person would."""

import io
from base64 import b64encode

from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import Page

from reference.sudoku_boards import drawn

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
BRING = """([kind, field, name, type, text]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type }));
  const Kind = kind === "drop" ? DragEvent : ClipboardEvent;
  const event = new Kind(kind, { bubbles: true, cancelable: true, [field]: data });
  document.querySelector("main").dispatchEvent(event);
}"""
DROP, PASTE = ("drop", "dataTransfer"), ("paste", "clipboardData")


def photo(board: str) -> bytes:
    """A board as a camera sees it from the side, with a shadow over it, a little out of focus."""
    flat = drawn(board, 3, 3, cell=60, margin=60)
    w, h = flat.size
    side = (-40, -20, 20, h + 50, w + 30, h + 10, w + 60, -50)
    seen = flat.transform((w, h), Image.Transform.QUAD, side, Image.Resampling.BICUBIC,
                          fillcolor=(190, 180, 170))  # fmt: skip
    shade = Image.new("L", (w, h), 255)
    ImageDraw.Draw(shade).polygon([(0, h // 3), (w, h // 2), (w, h), (0, h)], 150)
    black = Image.new("RGB", (w, h), "black")
    dark = Image.composite(seen, black, shade.filter(ImageFilter.GaussianBlur(20)))
    file = io.BytesIO()
    dark.filter(ImageFilter.GaussianBlur(1)).save(file, "JPEG", quality=80)
    return file.getvalue()


def bring(
    page: Page, data: bytes, how: tuple[str, str] = DROP, name: str = "photo.jpg",
    kind: str = "image/jpeg",
) -> None:  # fmt: skip
    page.evaluate(BRING, [*how, name, kind, b64encode(data).decode()])
