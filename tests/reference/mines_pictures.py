"""Mine boards as screenshots: the desk's own drawing, in its colours or in those of the game."""

import re
from html import unescape
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from cluewise.core import svg
from cluewise.desks.mines import drawing
from cluewise.desks.mines.position import Position

UP, MARGIN = 4, 20  # pixels drawn for one of the picture; units around the board
DARK = {svg.SURFACE: "#1d2024", svg.PAPER: "#15171a", svg.INK: "#ece9e2",
        svg.INK_SOFT: "#b0aa9f", svg.LINE_STRONG: "#6b7078", svg.WOOD: "#3a3c40"}  # fmt: skip
GAME = {svg.SURFACE: "#140023", svg.PAPER: "#0c0014", svg.INK: "#e8e8e8",
        svg.INK_SOFT: "#d2cdd7", svg.LINE_STRONG: "#0c0014", svg.WOOD: "#7a6896"}  # fmt: skip
LOOKS = {"light": {}, "dark": DARK, "game": GAME}
OPEN = 0.13  # the opacity of an open cell in the drawing


def drawn(position: Position, look: str, pitch: float, offset: float = 0) -> Image.Image:
    """The board `pitch` pixels a step; in the game's look closed tiles have lit edges."""
    text, colours = drawing.svg(position), LOOKS[look]
    x0, y0, width, height = map(float, re.findall(r'viewBox="([^"]+)"', text)[0].split())
    by = UP * pitch / drawing.STEP

    def colour(name: str) -> np.ndarray:
        name = colours.get(name, name)
        return np.array([int(name[k : k + 2], 16) for k in (1, 3, 5)])

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - x0 + MARGIN) * by + UP * offset, (y - y0 + MARGIN) * by + UP * offset

    size = [round((side + 2 * MARGIN) * by / UP) for side in (width, height)]
    surface = colour(svg.SURFACE)
    picture = Image.new("RGB", (size[0] * UP, size[1] * UP), tuple(surface))
    pen = ImageDraw.Draw(picture)
    for tag, inside, said in re.findall(r"<(polygon|text) ([^>]*)>(?:([^<]*)</text>)?", text):
        has = dict(re.findall(r'([\w-]+)="([^"]*)"', inside))
        fill = colour(has["fill"])
        if tag == "text":
            x, y = at(float(has["x"]), float(has["y"]))
            side = float(has["font-size"]) * by
            if said == "⚑":
                flag = ((-0.3, 0.4), (-0.3, -0.4), (0.4, -0.15), (-0.2, 0.1), (-0.2, 0.4))
                pen.polygon([(x + a * side, y + b * side) for a, b in flag], tuple(fill))
            else:
                font = ImageFont.load_default(size=side)
                pen.text((x, y), unescape(said).replace("−", "-"), tuple(fill), font, "mm")
            continue
        share = float(has["fill-opacity"])
        corners = [at(*map(float, p.split(","))) for p in has["points"].split()]
        face = (share * fill + (1 - share) * surface).astype(int)
        lit = look == "game" and share != OPEN
        if look == "game":
            face = fill if lit else np.array([51, 51, 51])
        pen.polygon(corners, tuple(np.minimum(face * (1.2 if lit else 1), 255).astype(int)))
        if lit:
            cx, cy = np.mean(corners, axis=0)
            inner = [(cx + 0.86 * (x - cx), cy + 0.86 * (y - cy)) for x, y in corners]
            pen.polygon(inner, tuple(face))
        pen.line([*corners, *corners[:2]], tuple(colour(has["stroke"])), round(2 * by), "curve")
    return picture.resize((size[0], size[1]), Image.Resampling.BOX)


def worn(picture: Image.Image, blur: float, scale: float, quality: int) -> Image.Image:
    """The picture blurred, scaled, below a window's bar, and saved as JPEG."""
    soft = picture.filter(ImageFilter.GaussianBlur(blur))
    size = (round(picture.width * scale), round(picture.height * scale))
    whole = Image.new("RGB", (size[0] + 40, size[1] + 70), picture.getpixel((1, 1)))
    whole.paste(soft.resize(size, Image.Resampling.BILINEAR), (23, 59))
    pen = ImageDraw.Draw(whole)
    pen.rectangle((0, 0, whole.width, 40), (90, 90, 96))
    pen.text((10, 12), "Level 65, 12 moves", "white", ImageFont.load_default(size=16))
    file = BytesIO()
    whole.save(file, "JPEG", quality=quality)
    return Image.open(file)
