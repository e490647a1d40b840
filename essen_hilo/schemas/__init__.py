"""The protocol: JSON Schemas of what goes between programs, for front ends in any language.

The files beside this one say what the package writes. Each stands alone, so that any validator can be
given one without the others.
"""

from __future__ import annotations


def json_schemas() -> dict[str, dict[str, object]]:
    """The schemas (JSON Schema 2020-12) by name: `"view"`, `"record"` and `"move"`.

    They hold for every `View.to_dict()`, every `Record` document and the text of every legal move. What a
    schema can't say, such as that a card is nowhere twice, `View.from_dict` and `Record.from_json` check.

    >>> sorted(json_schemas())
    ['move', 'record', 'view']

    Returns:
        New objects at each call, read from the package's files.
    """
    # Most programs never ask, and both modules take longer to import than the package.
    import json  # noqa: PLC0415
    from importlib.resources import files  # noqa: PLC0415

    folder = files(__name__)
    return {
        name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("move", "record", "view")
    }
