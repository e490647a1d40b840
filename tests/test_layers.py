"""The shape of the package: its layers, its public names, and that everything public is explained and typed."""

import ast
import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import essen_hilo

PACKAGE = Path(essen_hilo.__file__).parent

LAYERS = (
    ("errors", "frozen"),
    ("cards",),
    ("hands",),
    ("odds",),
    ("rules", "arranging", "moves"),
    ("showdown", "refusals"),
    ("views",),
    ("state",),
    ("record", "match", "knowledge", "schemas"),
    ("bots", "report"),
    ("simulation",),
)
"""From the top down: a module imports from the layers above its own, never from beside or below it."""

PUBLIC_NAMES = {
    "errors": ("EssenHiloError", "CardError", "RulesError", "IllegalMoveError", "RecordError", "Reason"),
    "frozen": (),
    "cards": ("Rank", "Suit", "Card", "DECK", "parse_cards", "format_cards", "shuffled_deck"),
    "hands": (
        *("Category", "HandValue", "LowRule"),
        *("DEUCE_TO_SEVEN", "ACE_TO_FIVE", "ACE_TO_SIX", "DEUCE_TO_SIX"),
        *("evaluate_high", "evaluate_low"),
    ),
    "rules": ("Rules", "OddChips"),
    "odds": ("Odds",),
    "arranging": ("Arrangement", "frontier", "with_odds", "best_arrangement"),
    "moves": ("Phase", "Move", "Deal", "Pick", "Pass", "Arrange", "Show", "Showdown", "parse_move"),
    "showdown": ("Award", "Result", "settle"),
    "refusals": (),
    "views": ("View",),
    "state": ("GameState",),
    "record": ("Record",),
    "match": ("Match",),
    "knowledge": ("Knowledge", "Place"),
    "schemas": ("json_schemas",),
    "bots": ("Bot", "RandomBot", "GreedyBot", "SearchBot"),
    "report": ("Report",),
    "simulation": ("play_out", "play_deal", "simulate", "WorkerLostError"),
}
"""What each module gives to the package's front door, once it is written."""

DEPTH = {module: depth for depth, layer in enumerate(LAYERS) for module in layer}
FILES = {path.relative_to(PACKAGE).with_suffix("").parts: path for path in sorted(PACKAGE.rglob("*.py"))}
"""The files of the package by their place in it: `("cards",)`, `("__init__",)`."""
EXPORTED = {
    name: import_module(f"essen_hilo.{module}")
    for module, names in PUBLIC_NAMES.items()
    if (module,) in FILES or (module, "__init__") in FILES
    for name in names
    if hasattr(import_module(f"essen_hilo.{module}"), name)
}
"""The module of each public name that exists so far."""

every_file = pytest.mark.parametrize("place", FILES, ids="/".join)
every_name = pytest.mark.parametrize("name", sorted(EXPORTED))


def syntax(place: tuple[str, ...]) -> ast.Module:
    return ast.parse(FILES[place].read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[str]:
    """The full name of every module that is imported anywhere in a file, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports name their module in full"
            assert node.module is not None
            if node.module == "essen_hilo":
                yield from (f"essen_hilo.{alias.name}" for alias in node.names)
            else:
                yield node.module


@every_file
def test_a_module_imports_from_layers_above_it_and_the_standard_library_only(place: tuple[str, ...]) -> None:
    for imported in imports(syntax(place)):
        top, _, rest = imported.partition(".")
        if top != "essen_hilo":
            assert top in sys.stdlib_module_names, f"{imported} is not in the standard library"
        elif place != ("__init__",):
            module = rest.partition(".")[0]
            inside = module == place[0]  # a module that grew into a folder
            assert inside or DEPTH[module] < DEPTH[place[0]], f"{imported} is not above {place[0]}"


def test_every_module_has_a_layer() -> None:
    assert {place[0] for place in FILES} - {"__init__", "schemas"} <= set(DEPTH)
    assert set(DEPTH) == set(PUBLIC_NAMES)


def test_a_star_import_gives_the_public_names_and_nothing_else() -> None:
    assert sorted(essen_hilo.__all__) == sorted(EXPORTED)
    names: dict[str, object] = {}
    exec("from essen_hilo import *", names)
    assert names.keys() - {"__builtins__"} == EXPORTED.keys()


@every_name
def test_the_front_door_gives_the_very_object_of_the_module(name: str) -> None:
    assert getattr(essen_hilo, name) is getattr(EXPORTED[name], name)


def test_no_public_name_is_a_module_s_name() -> None:
    assert not set(essen_hilo.__all__) & set(DEPTH)
    for module in set(DEPTH) & {place[0] for place in FILES}:
        assert inspect.ismodule(getattr(essen_hilo, module))


@every_file
def test_a_module_can_be_read_in_one_sitting(place: tuple[str, ...]) -> None:
    assert len(FILES[place].read_text(encoding="utf-8").splitlines()) <= 450


@every_file
def test_modules_and_what_is_public_in_them_have_docstrings(place: tuple[str, ...]) -> None:
    tree = syntax(place)
    assert ast.get_docstring(tree), "the module has none"
    for name, node in definitions(tree):
        assert ast.get_docstring(node), f"{name} has none"


def definitions(
    tree: ast.Module | ast.ClassDef, inside: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    """The public classes, functions, methods and properties of a file, with their full names."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list):
            continue
        yield inside + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from definitions(node, f"{inside}{node.name}.")


@every_name
def test_type_hints_of_everything_public_can_be_asked_for_when_running(name: str) -> None:
    value = getattr(essen_hilo, name)
    for place, function in functions(name, value):
        wanted = {*inspect.signature(function).parameters, "return"} - {"self", "cls"}
        assert wanted <= typing.get_type_hints(function).keys(), f"{place} is not typed in full"
    if inspect.isclass(value):
        typing.get_type_hints(value)


def functions(name: str, value: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """A public function itself, or the public methods and properties that a public class defines, with their names."""
    if inspect.isfunction(value):
        yield name, value
    elif inspect.isclass(value):
        for attribute, member in vars(value).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if inspect.isfunction(function) and not attribute.startswith("_"):
                yield f"{name}.{attribute}", function
