"""The 26 scan regions of the game: `region(364)` is Falador, range 22, 18 spots.

Provenance of regions.json: region names, clue ranges and spot coordinates (x east, y north,
level) are facts about the game, written down for this project in a form of its own; 641 spots,
no duplicates. teleports.json has landings of teleports from a public project under the MIT licence
(teleports.LICENSE.md), cut down and reshaped. No collision data and no pictures are shipped.

Provenance of the least totals of routes: proved by tests/tools/scan_prover, and by another program
with fields in full over all tiles, other groups and other bounds; 39 of them also by the dynamic
programme of tests/vectors/scan.json.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from itertools import product

import msgspec

Spot = tuple[int, int, int]
STOPS = (1, 3, 6)  # ticks
# By region the least totals of ticks over all spots, for each of STOPS from each of `starts_of`.
# They hold on the open plane for plans that scan at every stop and dig at one spot, all equally
# likely.
_TOTALS = {
    36: "5117 4405 5063 5438 4735 5442 5856 5205 5896",
    349: "2319 3351 3006 2735 3716 3446 3296 4175 4003",
    350: "1384 1644 1835 1670 1906 2128 2054 2237 2482",
    351: "948 1450 1248 1172 1653 1475 1442 1919 1765",
    352: "1467 1728 1735 1670 1941 1932 1928 2201 2203",
    353: "597 809 540 725 961 657 905 1155 810",
    354: "870 1224 1082 1032 1376 1257 1244 1571 1466",
    355: "849 1089 1025 1047 1299 1213 1290 1552 1457",
    356: "2044 3153 2450 2502 3633 2907 3140 4221 3491",
    357: "914 1734 1137 1094 1931 1323 1352 2182 1561",
    358: "1207 1724 1987 1426 1937 2230 1734 2225 2566",
    359: "604 736 715 762 907 870 949 1112 1061",
    360: "1281 1509 1194 1469 1730 1378 1733 1987 1624",
    361: "615 871 827 767 1022 989 970 1206 1172",
    362: "250 275 317 309 329 377 393 410 460",
    363: "1322 1545 1521 1660 1851 1835 2061 2253 2245",
    364: "509 652 693 625 762 803 781 903 923",
    365: "444 645 536 538 737 654 676 867 803",
    366: "442 547 673 547 642 797 690 771 962",
    367: "552 728 624 695 891 768 889 1111 964",
    368: "792 1088 964 926 1221 1108 1108 1392 1256",
    369: "411 542 438 521 649 536 658 790 660",
    370: "962 1167 827 1060 1266 901 1195 1399 1005",
    371: "1067 1272 1370 1194 1420 1519 1362 1625 1725",
    485: "824 1331 939 972 1529 1093 1178 1773 1305",
    487: "1064 1207 1231 1229 1439 1458 1463 1721 1759",
}


class Region(msgspec.Struct, frozen=True):
    """A region a clue can name: its clue range and its dig spots, x east, y north, level."""

    id: int
    name: str
    tier: str
    range: int
    spots: tuple[Spot, ...]


class Landing(msgspec.Struct, frozen=True):
    """Where a teleport lands in the window of a region."""

    group: str
    """Its kind: “Lodestone network”, a spellbook, a piece of jewellery."""
    name: str
    """Its name in the game."""
    at: tuple[int, int, int]
    """The middle of the landing area, [x, y, level]."""
    ticks: int
    """Ticks of menu and animation until you can run."""
    code: str
    """The key in its menu; empty without one."""
    anywhere: bool
    """Whether it works anywhere (an item or spell), not from a place of its own."""


class _Row(Landing, frozen=True):
    regions: tuple[int, ...]


class _Table(msgspec.Struct, frozen=True):
    rows: tuple[_Row, ...]


@cache
def landings() -> dict[int, tuple[Landing, ...]]:
    """The landings in each region's window, by the region's id."""
    data = resources.files("cluewise.desks.scan").joinpath("teleports.json").read_bytes()
    found: dict[int, list[Landing]] = {region.id: [] for region in regions()}
    for row in msgspec.json.decode(data, type=_Table).rows:
        landing = Landing(row.group, row.name, row.at, row.ticks, row.code, row.anywhere)
        for region in row.regions:
            found[region].append(landing)
    return {region: tuple(rows) for region, rows in found.items()}


@cache
def regions() -> tuple[Region, ...]:
    """All regions, by id."""
    data = resources.files("cluewise.desks.scan").joinpath("regions.json").read_bytes()
    return tuple(sorted(msgspec.json.decode(data, type=list[Region]), key=lambda r: r.id))


@cache
def by_id() -> dict[int, Region]:
    """The regions by their id."""
    return {region.id: region for region in regions()}


def starts_of(region: Region) -> dict[str, tuple[int, int]]:
    """Return the starts of the table: `{"middle": (x, y), "south-west": …, "east": …}`."""
    xs, ys = [s[0] for s in region.spots], [s[1] for s in region.spots]
    middle = (min(ys) + max(ys)) // 2
    return {
        "middle": ((min(xs) + max(xs)) // 2, middle),
        "south-west": (min(xs), min(ys)),
        "east": (max(xs), middle),
    }


def proven_totals(region: Region) -> dict[tuple[int, str], int]:
    """Return the least totals of ticks over all spots, by ticks of a stop and name of a start."""
    totals = map(int, _TOTALS[region.id].split())
    return dict(zip(product(STOPS, starts_of(region)), totals, strict=True))
