"""What keeps a value from changing where a frozen dataclass would be too slow, or where there is one object a value."""

from __future__ import annotations

from typing import Self


class Frozen:
    """A value that can't change: no attribute can be set or deleted, and a copy is the value itself."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} can't change: {name} was not set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't change: {name} was not deleted")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __setstate__(self, state: tuple[None, dict[str, object]]) -> None:
        # What `pickle` keeps of an object with slots; it would set them in a way that is closed here.
        for name, value in state[1].items():
            object.__setattr__(self, name, value)
