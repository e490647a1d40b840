"""What the README of the web table says, to compare it with what is so."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

from examples.web_table.limits import Limits

README = Path(__file__).parents[2] / "examples" / "web_table" / "README.md"


def limits_table() -> str:
    """The table of limits, from the docstring and the defaults of `Limits`."""
    assert Limits.__doc__ is not None
    lines = ["| limit | default | what it means |", "|---|---|---|"]
    for name, default in asdict(Limits()).items():
        found = re.search(rf"^ +{name}: (.*(?:\n {{12}}.*)*)", Limits.__doc__, re.MULTILINE)
        assert found is not None, f"{name} has no description"
        lines.append(f"| `{name}` | {default:,g} | {' '.join(found[1].split())} |".replace("1e+06", "1,000,000"))
    return "\n".join(lines)


def block(language: str, nth: int = 0) -> str:
    """The text of a fenced block of this language."""
    found = re.findall(rf"```{language}\n(.*?)\n```", README.read_text(encoding="utf-8"), re.DOTALL)
    return str(found[nth])
