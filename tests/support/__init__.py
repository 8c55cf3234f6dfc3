"""Tools that several tests share: the bridge to the reference, random games, checks of a whole deal."""
