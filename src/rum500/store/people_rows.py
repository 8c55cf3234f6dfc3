"""The store's rows about people who played together: companions, invitations, and leagues."""

from __future__ import annotations

from msgspec import Struct


class Companion(Struct, frozen=True):
    """Another guest with whom a guest has played, and the sums of their common matches."""

    guest_id: str
    """The id of the other guest."""
    table_id: str
    """The table of the last common match."""
    matches: int
    """The number of common matches with at least one finished deal."""
    last: int
    """When the last common match ended, in milliseconds since 1970."""
    points: int
    """The guest's points in these matches."""
    their_points: int
    """The other guest's points in them."""


class InvitationRow(Struct, frozen=True, kw_only=True):
    """An invitation of a guest, to a table or to a league."""

    guest_id: str
    """The invited guest."""
    table_id: str = ""
    league_id: str = ""
    by_guest: str
    """The guest who invites."""
    at: int
    """The time of the invitation, in milliseconds since 1970."""
    answered: bool = False
    """Whether the invited guest has put it away."""


class LeagueRow(Struct, frozen=True, kw_only=True):
    """A league: a standing of all matches among the same people."""

    id: str
    """The secret id in the league's link."""
    name: str
    host_id: str
    """The guest who may rename and end it."""
    created: int
    """When it was made, in milliseconds since 1970."""
    ended: int | None = None
    """When it was ended; later matches do not count. None if it was not."""
    used: int
    """When somebody last looked at it, to the day; `prune` removes leagues that nobody uses."""


class LeagueMember(Struct, frozen=True, kw_only=True):
    """A guest in a league."""

    league_id: str
    guest_id: str
    member: str
    """The id that stands for the guest in the league's results."""
    joined: int
    """When the guest joined, in milliseconds since 1970."""


class LeagueResult(Struct, frozen=True, kw_only=True):
    """One player's result of a match that counts in a league."""

    league_id: str
    table_id: str
    player: int
    """The player's number at the table; -1 for a match that does not count."""
    member: str
    """The id of the member, who may have left since."""
    ended: int
    """When the match ended, in milliseconds since 1970."""
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    deals: int
    """The number of finished deals."""
    points: int
    """The final total of the player or the side."""
    won: bool
    owes: dict[int, int]
    """By player, the points that this player owes after the match by the game's settlement."""
