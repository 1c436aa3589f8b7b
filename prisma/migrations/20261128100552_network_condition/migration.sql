-- Schema: 2
-- Serves: Pharos 0.2.0 (schema 1) and later
ALTER TABLE worker ADD COLUMN dropped_results INTEGER NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN silent_canary_at TIMESTAMPTZ(3);
