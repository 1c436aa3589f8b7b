-- Schema: 6
-- Serves: Pharos 0.2.0 (schema 1) and later
-- The owner of a monitor's only shard knows whether its own decision made the monitor contested, and does not read it again: it sets
-- pharos.owner_knows for its statement. Earlier versions never do.
CREATE OR REPLACE TRIGGER monitor_state_contested AFTER UPDATE OF machine ON monitor_state
    FOR EACH ROW WHEN ((OLD.machine->'isContested') IS DISTINCT FROM (NEW.machine->'isContested')
                       AND current_setting('pharos.owner_knows', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION note_monitor_change('monitor_id');
