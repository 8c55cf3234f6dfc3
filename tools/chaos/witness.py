"""Triggers in the servers' database that record forbidden changes.

They write only when something forbidden happens or a lease begins, so that the servers' statements cost no
more than usual.
"""

from __future__ import annotations

from rum500.store.postgres_leases import LEASE_MS
from tests.support.postgres import PostgresServer

TOLERATED_MS = 1_000
_LATE_MS = 2_800
_SETTLED_MS = 10_000
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

# To another server, a lease that is renewed at its very end may have ended a moment before.
_TRIGGERS = f"""
    SET default_tablespace = pg_default;  -- the disk that can be full is another one
    CREATE SCHEMA chaos;
    CREATE TABLE chaos.leases (id text, program text, at int8);
    CREATE INDEX ON chaos.leases (id);
    CREATE TABLE chaos.wrong (at timestamptz DEFAULT clock_timestamp(), what text);

    CREATE FUNCTION chaos.lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'INSERT' OR NEW.until - OLD.until > {_LATE_MS} THEN
            INSERT INTO chaos.leases VALUES (NEW.id, current_setting('application_name'), {_NOW});
        END IF;
        IF abs(NEW.until - {_NOW} - {LEASE_MS}) > {TOLERATED_MS} THEN
            INSERT INTO chaos.wrong (what) VALUES (
                'server ' || NEW.name || ' took a lease of ' || NEW.until - {_NOW}
                || ' ms by the database''s clock'
            );
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER chaos AFTER INSERT OR UPDATE OF until ON nodes FOR EACH ROW EXECUTE FUNCTION chaos.lease();

    CREATE FUNCTION chaos.owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.epoch < OLD.epoch OR (NEW.epoch = OLD.epoch AND NEW.owner IS NOT NULL) THEN
            INSERT INTO chaos.wrong (what) VALUES (
                'table ' || NEW.id || ': the epoch went from ' || OLD.epoch || ' to ' || NEW.epoch
            );
        END IF;
        IF OLD.owner <> NEW.owner
            AND EXISTS (SELECT FROM nodes n WHERE n.id = OLD.owner AND n.until > {_NOW})
            AND NOT EXISTS (
                SELECT FROM chaos.leases l WHERE l.id = OLD.owner AND l.at > {_NOW} - {_SETTLED_MS}
            )
        THEN
            INSERT INTO chaos.wrong (what) VALUES (
                'table ' || NEW.id || ' was taken from a server whose lease ran, in epoch ' || NEW.epoch
            );
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER chaos AFTER UPDATE OF owner, epoch ON tables FOR EACH ROW EXECUTE FUNCTION chaos.owner();

    CREATE FUNCTION chaos.entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NOT EXISTS (
            SELECT FROM tables t JOIN chaos.leases l ON l.id = t.owner
            WHERE t.id = NEW.table_id AND l.program = current_setting('application_name')
        ) THEN
            INSERT INTO chaos.wrong (what) VALUES (
                'table ' || NEW.table_id || ', entry ' || NEW.number || ' (' || NEW.kind || ') was stored by '
                || current_setting('application_name') || ', which does not own the table'
            );
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER chaos AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION chaos.entry();
"""


def watch(server: PostgresServer, database: str) -> None:
    """Begin to watch the servers of a database. Call this before the first lease begins."""
    server.execute(database, _TRIGGERS)


def wrong(server: PostgresServer, database: str) -> list[str]:
    """Return the forbidden changes since the last call."""
    found = server.execute(database, "DELETE FROM chaos.wrong RETURNING at, what")
    return [f"{at:%H:%M:%S.%f}: {what}" for at, what in sorted(found)]
