"""The types of the compiled module."""

from typing import ClassVar, Final, TypeVar, overload

from rum500.rules.actions import Action
from rum500.rules.ruleset import Ruleset
from rum500.state import State
from rum500.view import View

_Out = TypeVar("_Out")

VERSION: Final = "v1"
DRAW_ID: Final = 0
SLOTS: Final = 32

class Actions:
    version: ClassVar[str]
    rules: Ruleset
    players: int
    n: int
    variants: int
    names: tuple[str, ...]
    def __init__(self, rules: Ruleset, players: int) -> None: ...
    @overload
    def mask(self, state: State | View) -> bytearray: ...
    @overload
    def mask(self, state: State | View, out: _Out) -> _Out: ...
    def legal(self, state: State | View) -> list[int]: ...
    def encode(self, state: State | View, action: Action | int) -> int: ...
    def pair(self, state: State | View, action: Action | int) -> tuple[int, int]: ...
    def decode(self, state: State | View, number: int, variant: int = 0) -> int: ...
    def plays(self, state: State | View, number: int) -> list[int]: ...
