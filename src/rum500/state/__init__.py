"""The public face of a deal: `State`, how one begins, and why a play is refused."""

from rum500.state._state import IllegalPlay, State, deal

__all__ = ["IllegalPlay", "State", "deal"]
