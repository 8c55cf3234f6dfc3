"""The club player on an easy evening."""

from __future__ import annotations

from rum500.bots.simple.club import Club


class Casual(Club):
    """Plays its own hand as `club` does, but thinks less of what others need and forgets who took what."""

    name = "casual"
    level = "casual"
