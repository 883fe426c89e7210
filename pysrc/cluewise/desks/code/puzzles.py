"""The known games by name."""

from __future__ import annotations

from cluewise.desks.code.position import Rules

GAMES = {
    "Mastermind": Rules(4, 6),
    "Super Mastermind": Rules(5, 8),
    "Mini Mastermind": Rules(3, 4),
    "Mastermind with eight colours": Rules(4, 8),
    "Grand Mastermind": Rules(6, 10),
    "Bulls & Cows": Rules(4, 10, repeat=False),
    "Bulls & Cows with five digits": Rules(5, 10, repeat=False),
}
"""Rules by the names people know them by."""
