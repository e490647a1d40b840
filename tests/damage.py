"""Ways to spoil a document: what bad disks, bad clients and bad people send."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import strategies as st

JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    4,
    5,
    52,
    10**30,
    -(10**30),
    0.0,
    1.0,
    2.5,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "0",
    "4",
    "As",
    "Xc",
    "pick 0 As",
    "pass",
    "showdown",
    "deuce-to-seven",
    "ace-to-five",
    "left-of-dealer",
    "over",
    "pick",
    "\u0000",
    "\ud800",
    "6\u0441",
    "x" * 10_000,
    [],
    {},
    [[]],
    [None],
    ["As"],
    ["As", "As"],
    [[["As"]]],
    {"": None},
    {"0": "As"},
    {"low": [], "high": []},
)

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(JUNK),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)


def places_in(document: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a document that something can be put at."""
    keys: list[Any] = []
    if isinstance(document, dict):
        keys = list(document)
    elif isinstance(document, list):
        keys = list(range(len(document)))
    found = [(document, key) for key in keys]
    for key in keys:
        found += places_in(document[key])
    return found


def damaged(document: Any, rng: random.Random) -> Any:
    """A copy of a JSON document with one to three things wrong with it (or, by luck, still right)."""
    document = json.loads(json.dumps(document))
    for _ in range(rng.randint(1, 3)):
        places = places_in(document)
        if not places:
            break
        container, key = rng.choice(places)
        if rng.random() < 0.3:  # the long lists have most of the places: look at the top as well
            container, key = document, rng.choice(list(document))
        kind = rng.randrange(7)
        if kind == 0:
            del container[key]
        elif kind == 1:
            container[key] = rng.choice(JUNK)
        elif kind == 2:
            other, there = rng.choice(places)
            try:
                container[key] = json.loads(json.dumps(other[there]))
            except (KeyError, IndexError):  # taken away a moment ago
                container[key] = None
        elif kind == 3 and isinstance(container, list):
            container.insert(key, rng.choice([*container, *JUNK]))
        elif kind == 3:
            container[rng.choice(["", "0", "extra", "seat", "seed"])] = rng.choice(JUNK)
        elif kind == 4 and isinstance(container[key], int | float):
            container[key] = rng.choice([str(container[key]), float(container[key]), container[key] + 1, -1, 10**400])
        elif kind == 4 and isinstance(container[key], str) and container[key]:
            text = container[key]
            place = rng.randrange(len(text))
            container[key] = text[:place] + rng.choice("0129AsKhx /-\u0666\u00a0") + text[place + rng.randrange(2) :]
        elif kind == 5 and isinstance(container, list):
            rng.shuffle(container)
        elif kind == 6 and isinstance(container, list):
            del container[key:]
        else:
            container[key] = [container[key]]
    return document


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """A file with a few bytes lost, doubled or changed."""
    spoilt = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(spoilt) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            del spoilt[place:]
        elif kind == 1:
            del spoilt[place : place + rng.randint(1, 9)]
        elif kind == 2:
            spoilt[place:place] = spoilt[max(0, place - rng.randint(1, 40)) : place]
        elif kind == 3:
            spoilt[place : place + 1] = bytes([rng.randrange(256)])
        else:
            spoilt[place:place] = rng.choice([b"[", b"{", b'"', b"\x00", b"\xff", b"-", b"1e9", b"NaN", b"\\ud800"])
    return bytes(spoilt)
