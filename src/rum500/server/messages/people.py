"""The types of people with whom the guest has played over HTTP: the list, invitations, and leagues."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rum500.server.messages.guest_names import LONGEST_NAME
from rum500.server.messages.http import TableId, TableSummary

PersonId = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
"""An id that only the guest's own list of people has. Another guest's list has another one."""
LeagueId = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
MOST_INVITED = 11
"""The most people in one request: a league has at most twelve members."""
People = Annotated[list[PersonId], Meta(max_length=MOST_INVITED)]


class Person(Struct, kw_only=True):
    """Another guest with whom the guest has played."""

    id: PersonId
    name: str
    """The name at the last common table."""
    matches: int
    """The number of common matches with at least one finished deal."""
    last: int
    """When the last of them ended."""
    points: int
    """The guest's points in these matches."""
    their_points: int
    """The other's points in them."""
    here: bool
    """Whether the other is here now; always false if the other does not show it."""
    refused: bool
    """Whether the guest refuses the other's invitations."""


class PeopleList(Struct):
    """The people with whom the guest has played, those of the latest matches first."""

    people: list[Person]
    total: int
    """The number of all people."""
    shows_presence: bool
    """Whether these people may see when the guest is here."""


class ShowPresence(Struct, forbid_unknown_fields=True):
    """Whether people with whom the guest has played may see when the guest is here."""

    shown: bool


class RefusePerson(Struct, forbid_unknown_fields=True):
    """Whether the guest refuses another guest's invitations."""

    person: PersonId
    refused: bool


class PlayAgain(Struct, forbid_unknown_fields=True):
    """A request for a new table like the last one with the first person, to which all are invited."""

    people: Annotated[list[PersonId], Meta(min_length=1, max_length=7)]


class InvitePeople(Struct, forbid_unknown_fields=True):
    """A request to invite people to a table that has not begun."""

    table: TableId
    people: Annotated[list[PersonId], Meta(min_length=1, max_length=7)]


class InviteToLeague(Struct, forbid_unknown_fields=True):
    """A request to invite people to a league."""

    people: Annotated[list[PersonId], Meta(min_length=1, max_length=MOST_INVITED)]


class NotInvited(Struct):
    """A person who was not invited."""

    name: str
    code: str
    """`invitation.refused`: the person refuses the guest's invitations; `invitation.often`: there were three
    within a day.
    """


class Invited(Struct):
    """The table or league to which people were invited."""

    id: str
    not_invited: list[NotInvited]
    """The people who were not invited."""


class Invitation(Struct, kw_only=True):
    """An invitation of the guest to a table or a league."""

    by: str
    """The name of the guest who invites."""
    at: int
    """The time of the invitation."""
    table: TableSummary | None
    """The table; null for a league."""
    league: str | None
    """The id of the league; null for a table."""
    league_name: str | None


class AnswerInvitation(Struct, forbid_unknown_fields=True):
    """A request to put an invitation away; exactly one of `table` and `league` is given."""

    table: TableId | None = None
    league: LeagueId | None = None
    refuse_more: bool = False
    """Whether to refuse all later invitations of the same person too."""


LeagueName = Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_NAME)]


class NewLeague(Struct, forbid_unknown_fields=True):
    """A new league. The people are invited; with `table`, so is everybody else at that table.

    If exactly these people have a league already, no other one is made for a table.
    """

    name: LeagueName
    people: People = []
    table: TableId | None = None


class RenameLeague(Struct, forbid_unknown_fields=True):
    """A league's new name."""

    name: LeagueName


class JoinLeague(Struct, forbid_unknown_fields=True):
    """A request to join a league."""


class LeaveLeague(Struct, forbid_unknown_fields=True):
    """A request to leave a league. The results stay."""


class EndLeague(Struct, forbid_unknown_fields=True):
    """A request to end a league, so that later matches do not count."""


class LeagueSummary(Struct):
    """A league, as the guest's list shows it."""

    id: LeagueId
    name: str
    members: int
    ended: bool


class LeagueRank(Struct, kw_only=True):
    """One line of a league's standing."""

    name: str | None
    """The name; null for a guest who was deleted or has left."""
    you: bool
    """Whether this is the guest."""
    member: bool
    """Whether this person is in the league now."""
    matches: int
    won: int
    points: int
    """The sum of the final totals."""
    deals: int


class LeaguePayment(Struct):
    """Points that one person owes another."""

    payer: int
    """The line of the standing of the person who owes, from 0."""
    payee: int
    """The line of the person who gets the points, from 0."""
    points: int


class LeagueMatch(Struct, kw_only=True):
    """A match that counts in a league."""

    ended: int
    """When it ended."""
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    deals: int
    """The number of finished deals."""
    players: list[int]
    """The lines of the standing of the people who played, from 0."""
    points: list[int]
    """Their points."""
    winners: list[int]
    """The lines of those who won, from 0."""
    table: TableId | None
    """The table, if the guest played there."""


class League(Struct, kw_only=True):
    """A league: the standing of all matches among the same people."""

    id: LeagueId
    name: str
    created: int
    ended: int | None
    """When it was ended."""
    host: bool
    """Whether the guest may rename and end it."""
    member: bool
    """Whether the guest is in it."""
    full: bool
    """Whether nobody else can join."""
    standing: list[LeagueRank]
    """By matches won, then points, then the number of deals."""
    payments: list[LeaguePayment]
    """Who owes whom how many points, by the settlements of the matches' games."""
    matches: list[LeagueMatch]
    """The matches, the latest first."""
    more: bool
    """Whether there are earlier matches than those in the list; they count in the standing."""
