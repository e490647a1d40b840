"""Types are for people and tools: they resolve at run time too, on everything that is public."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import essen_hilo


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, class, method and property getter of the package."""
    for name in essen_hilo.__all__:
        thing = getattr(essen_hilo, name)
        if not callable(thing):
            continue
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for attribute in dir(thing):
            if attribute.startswith("_") and attribute not in ("__init__", "__new__", "__lt__", "__call__"):
                continue
            member = inspect.getattr_static(thing, attribute)
            if isinstance(member, staticmethod | classmethod):
                member = member.__func__
            if isinstance(member, property):
                member = member.fget
            if inspect.isfunction(member) and member.__module__.startswith("essen_hilo"):
                yield f"{name}.{attribute}", member


@pytest.mark.parametrize(("name", "thing"), list(public_callables()), ids=[name for name, _ in public_callables()])
def test_type_hints_resolve_on_everything_public(name: str, thing: Callable[..., Any]) -> None:
    hints = typing.get_type_hints(thing)
    if inspect.isfunction(thing):
        parameters = [p for p in inspect.signature(thing).parameters if p not in ("self", "cls")]
        assert set(parameters) <= set(hints), name
        assert "return" in hints, name


def test_there_is_something_public() -> None:
    named = {name for name, _ in public_callables()}
    assert {"GameState", "GameState.apply", "View.to_dict", "Record.replay", "settle"} <= named


def test_modules_can_be_reached_and_other_names_not() -> None:
    assert vars(essen_hilo)["__getattr__"]("cards") is sys.modules["essen_hilo.cards"]
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = essen_hilo.no_such_name  # type: ignore[attr-defined]  # the very question
    assert {*essen_hilo.__all__} <= {*dir(essen_hilo)}
