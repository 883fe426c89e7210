"""The proven least totals of the 26 regions' routes.

A row has the least total of ticks over all spots of a region: for stop costs of 1, 3 and 6 ticks,
each from the middle of the spots' bounding box, its south-west corner and the middle of its east
side. They hold on the open plane for plans that scan at every stop and dig at one spot, all spots
equally likely. tests/tools/scan_prover proves them again.
"""

from __future__ import annotations

from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.regions import Region, by_id

STOPS = (1, 3, 6)  # ticks
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


def starts_of(region: Region) -> dict[str, tuple[int, int]]:
    """Return the starts of the table: `{"middle": (x, y), "south-west": …, "east": …}`."""
    xs, ys = [s[0] for s in region.spots], [s[1] for s in region.spots]
    middle = (min(ys) + max(ys)) // 2
    return {
        "middle": ((min(xs) + max(xs)) // 2, middle),
        "south-west": (min(xs), min(ys)),
        "east": (max(xs), middle),
    }


def proven_total(planner: Planner, here: Tile) -> int | None:
    """Return the least total of ticks of any plan from `here`; None where the table has none.

    It has one for all spots of a region with the range, a start and a stop cost of the table, on
    the open plane without levels, teleports and pulses on the way.
    """
    region = by_id().get(planner.scene.position.region or 0)
    if region is None or planner.stop not in STOPS:
        return None
    if planner.walled or planner.on_the_way or planner.teleports or planner.stairs:
        return None
    if planner.with_levels or planner.scene.reach != region.range:
        return None
    starts = list(starts_of(region).values())
    if tuple(planner.spots) != region.spots or here not in starts:
        return None
    row = _TOTALS[region.id].split()
    return int(row[len(starts) * STOPS.index(planner.stop) + starts.index((here[0], here[1]))])
