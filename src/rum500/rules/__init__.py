"""The rules of the games: rule sets, profiles, actions and their notation, refusals, scoring, the core.

A `Ruleset` (`rules.ruleset`) is one game as data; `rules.profiles` has the games of the sources by name.
`rules.engine.core` plays a deal. `rules.explain` says why a play is refused. No bot lives here.
"""
