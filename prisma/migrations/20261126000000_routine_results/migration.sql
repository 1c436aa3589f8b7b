-- Serves: Pharos 0.1.0 (20261126000000_routine_results) and later
-- Most results say what the one before said. They are recorded in the schedule alone: see lib/engine/checks/recording/record-routine.ts
-- and docs/decisions/0027. Workers of the versions before this one do not see such results. Those that run must end within three
-- intervals of a monitor, as in a rolling restart.
ALTER TABLE "probe_schedule"
    ADD COLUMN "last_checked_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_result_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_response_time" INTEGER,
    ADD COLUMN "certificate_expires_at" TIMESTAMPTZ(3),
    ADD COLUMN "is_contested" BOOLEAN NOT NULL DEFAULT true;

-- Whoever writes a state without the mark, in whatever version, makes the monitor contested: its next result is decided again.
CREATE FUNCTION follow_contested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    contested CONSTANT boolean := coalesce(NEW.machine->>'isContested' <> 'false', true);
BEGIN
    UPDATE probe_schedule SET is_contested = contested
     WHERE monitor_id = NEW.monitor_id AND is_contested <> contested;
    RETURN NULL;
END
$$;

CREATE TRIGGER monitor_state_contested AFTER UPDATE OF machine ON "monitor_state"
    FOR EACH ROW EXECUTE FUNCTION follow_contested();
