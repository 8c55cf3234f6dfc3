"""The types of the compiled module."""

from array import array
from typing import Final, TypeVar, overload

from rum500.rules.ruleset import Ruleset
from rum500.spaces.planes import Plane
from rum500.state import State
from rum500.view import View

_Out = TypeVar("_Out")

VERSIONS: Final[tuple[str, ...]]

class Vector:
    rules: Ruleset
    players: int
    version: str
    planes: tuple[Plane, ...]
    names: tuple[str, ...]
    size: int

class Features(Vector):
    def __init__(self, rules: Ruleset, players: int, version: str = "v1") -> None: ...
    @overload
    def write(self, state: State | View, seat: int) -> array[float]: ...
    @overload
    def write(self, state: State | View, seat: int, out: _Out) -> _Out: ...
    def to_list(self, state: State | View, seat: int) -> list[float]: ...

class HiddenState(Vector):
    def __init__(self, rules: Ruleset, players: int, version: str = "v1") -> None: ...
    @overload
    def write(self, state: State, seat: int) -> array[float]: ...
    @overload
    def write(self, state: State, seat: int, out: _Out) -> _Out: ...
