-- Schema: 8
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Workers looked through all open automatic incidents for those whose monitor was paused or deleted, every second, also while thousands were
-- down.
-- First, so that nobody pauses or deletes a monitor until all is done; before incidents, as deleting monitors locks them.
CREATE FUNCTION note_orphaned_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE incident SET is_orphaned = NOT is_orphaned
     WHERE monitor_id = OLD.id AND automatic AND resolved_at IS NULL AND is_orphaned <> (TG_OP = 'DELETE' OR NOT NEW.enabled);
    RETURN NULL;
END
$$;

CREATE TRIGGER monitor_deleted_incident AFTER DELETE ON monitor FOR EACH ROW EXECUTE FUNCTION note_orphaned_incident();
CREATE TRIGGER monitor_paused_incident AFTER UPDATE OF enabled ON monitor
    FOR EACH ROW WHEN (OLD.enabled <> NEW.enabled) EXECUTE FUNCTION note_orphaned_incident();

ALTER TABLE incident ADD COLUMN is_orphaned BOOLEAN NOT NULL DEFAULT false;

-- No edit: the version stays.
CREATE OR REPLACE TRIGGER incident_version BEFORE UPDATE ON incident FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.* AND (OLD.is_orphaned = NEW.is_orphaned OR OLD.updated_at <> NEW.updated_at))
    EXECUTE FUNCTION count_version();

CREATE INDEX incident_orphaned ON incident (id) WHERE is_orphaned AND resolved_at IS NULL;

-- One that people reopen after that.
CREATE FUNCTION judge_reopened_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.is_orphaned := NOT EXISTS (SELECT FROM monitor WHERE monitor.id = NEW.monitor_id AND enabled);
    RETURN NEW;
END
$$;

CREATE TRIGGER incident_reopened BEFORE UPDATE OF resolved_at ON incident
    FOR EACH ROW WHEN (NEW.automatic AND OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS NULL)
    EXECUTE FUNCTION judge_reopened_incident();

UPDATE incident SET is_orphaned = true
 WHERE automatic AND resolved_at IS NULL AND NOT EXISTS (SELECT FROM monitor WHERE monitor.id = incident.monitor_id AND enabled);
