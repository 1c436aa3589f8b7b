-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Workers own parts of the schedule instead of claiming every check: see docs/decisions/0028. Workers of earlier versions find
-- no claims to make from here on, so none checks what a worker of this version owns.

-- The shards of a region: sixteen parts of its slots. A result is stored only under the epoch of its owner.
CREATE TABLE raw.shard_lease (
    region TEXT NOT NULL,
    shard SMALLINT NOT NULL CHECK (shard BETWEEN 0 AND 15),
    owner TEXT,
    epoch BIGINT NOT NULL DEFAULT 0,
    -- When it was released; null while it is owned, and before it ever was.
    released_at TIMESTAMPTZ(3),
    -- The last batches of results, so that one whose acknowledgement was lost is stored once.
    last_routine UUID,
    last_decided UUID,
    PRIMARY KEY (region, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The workers that run the checks of a region. One that stops writing its row loses its shards.
CREATE TABLE raw.check_runner (
    region TEXT NOT NULL,
    worker_id TEXT NOT NULL,
    seen_at TIMESTAMPTZ(3) NOT NULL,
    -- The connection that wrote the row: if it is gone, so is its worker.
    backend INTEGER NOT NULL,
    -- Everything before this transaction is known to the worker.
    knows_before XID8 NOT NULL,
    -- When the oldest check became due that the worker has not started; null: none.
    due_since TIMESTAMPTZ(3),
    -- Whether it stops: it takes no more shards, and keeps its own until others have taken them, a few at a time.
    is_leaving BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (region, worker_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Which monitors the owners of shards must read again, by the transaction that changed them: a snapshot tells exactly which of
-- these a worker has not seen, in whatever order transactions commit.
CREATE TABLE raw.schedule_change (
    region TEXT NOT NULL,
    xid XID8 NOT NULL DEFAULT pg_current_xact_id(),
    monitor_id TEXT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX schedule_change_region_xid ON raw.schedule_change (region, xid);

-- The region and the monitor of a row never change.
CREATE FUNCTION note_schedule_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO raw.schedule_change (region, monitor_id)
    VALUES (coalesce(NEW.region, OLD.region), coalesce(NEW.monitor_id, OLD.monitor_id));
    RETURN NULL;
END
$$;

-- Its argument is the column with the ID of the monitor.
CREATE FUNCTION note_monitor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO raw.schedule_change (region, monitor_id)
    SELECT region, monitor_id FROM probe_schedule WHERE monitor_id = to_jsonb(NEW)->>TG_ARGV[0];
    RETURN NULL;
END
$$;

DROP TRIGGER monitor_state_contested ON "monitor_state";
DROP FUNCTION follow_contested();
DROP FUNCTION grid_slot_after;
DROP INDEX "probe_schedule_region_next_check_at_idx";
ALTER TABLE "probe_schedule"
    DROP COLUMN "claim", DROP COLUMN "claimed_by", DROP COLUMN "lease_until",
    DROP COLUMN "last_checked_at", DROP COLUMN "last_result_at", DROP COLUMN "last_response_time",
    DROP COLUMN "certificate_expires_at", DROP COLUMN "is_contested";
CREATE INDEX "probe_schedule_region_slot_idx" ON "probe_schedule" ("region", "slot");

CREATE TRIGGER probe_schedule_change AFTER INSERT OR DELETE OR UPDATE ON "probe_schedule"
    FOR EACH ROW EXECUTE FUNCTION note_schedule_change();
CREATE TRIGGER monitor_change AFTER UPDATE ON "monitor"
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION note_monitor_change('id');
-- Only a change of the mark: whether every result of the monitor is decided upon. A state without it is contested.
CREATE TRIGGER monitor_state_contested AFTER UPDATE OF machine ON "monitor_state"
    FOR EACH ROW WHEN ((OLD.machine->'isContested') IS DISTINCT FROM (NEW.machine->'isContested'))
    EXECUTE FUNCTION note_monitor_change('monitor_id');
