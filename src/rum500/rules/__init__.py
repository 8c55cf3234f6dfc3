"""The rules of the games: rule sets, profiles, actions and their notation, refusals, scoring, the core.

A `Ruleset` (`rules.ruleset`) describes one game as data; `rules.profiles` returns the games of the sources by
name. `rules.engine.core` plays a deal. `rules.explain` finds the reason why a play is refused. This package
contains no bots.
"""
