-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Retention deletes corrections without the locks of their states: those are taken here, in the order of the engine, and only then is it known
-- which corrections are left.
CREATE OR REPLACE FUNCTION follow_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM monitor_state WHERE monitor_id IN (SELECT monitor_id FROM changed) ORDER BY monitor_id FOR UPDATE;
    UPDATE monitor_state AS state
       SET is_corrected = NOT is_corrected
     WHERE monitor_id IN (SELECT monitor_id FROM changed)
       AND is_corrected <> EXISTS (SELECT FROM ledger_correction WHERE monitor_id = state.monitor_id);
    RETURN NULL;
END
$$;
