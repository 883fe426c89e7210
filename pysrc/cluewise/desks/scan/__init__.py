"""The scan desk: where on the map a scan is most informative, and how to walk there."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.scan.formats.maps import read_text
from cluewise.desks.scan.position import Position, check
from cluewise.desks.scan.verbs.classes import classes, doubt
from cluewise.desks.scan.verbs.fewest import fewest
from cluewise.desks.scan.verbs.map_data import paste, write
from cluewise.desks.scan.verbs.map_data import regions as list_regions
from cluewise.desks.scan.verbs.map_data import walls as read_walls
from cluewise.desks.scan.verbs.next import next_
from cluewise.desks.scan.verbs.packs import pack, rate
from cluewise.desks.scan.verbs.practice import listen, practice
from cluewise.desks.scan.verbs.review import review
from cluewise.desks.scan.verbs.route import route, route_tasks

DESK: Desk[Position] = Desk(
    name="scan",
    title="Scan clues on a tile map",
    position=Position,
    check=check,
    from_text=read_text,
    verbs=(
        Verb("next", "Where to walk next.", next_),
        Verb("classes", "Areas of tiles that give the same information.", classes),
        Verb("route", "A whole route as a decision tree.", route, route_tasks),
        Verb("pack", "A whole route as a method pack.", pack),
        Verb("rate", "Replay and check the scan trees of a method pack.", rate),
        Verb("fewest", "The fewest scans that suffice, proven.", fewest),
        Verb("regions", "The built-in regions.", list_regions),
        Verb("doubt", "The smallest sets of clues that contradict each other.", doubt),
        Verb("practice", "Hide a spot to find by walking.", practice),
        Verb("listen", "The pulse at a tile in a practice.", listen),
        Verb("review", "A finished hunt, scan by scan: your loss and your luck.", review),
        Verb("paste", "Spots from lines of numbers.", paste),
        Verb("write", "Spots and walls as text.", write),
        Verb("walls", "A text grid or PNG as walls of the position.", read_walls),
    ),
)
