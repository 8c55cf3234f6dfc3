"""The club player on an easy evening."""

from __future__ import annotations

from rum500.bots.simple.club import Club


class Casual(Club):
    """Plays its own hand as `club` does, but forgets who took what and thinks less of what others need."""

    name = "casual"
    level = "casual"
