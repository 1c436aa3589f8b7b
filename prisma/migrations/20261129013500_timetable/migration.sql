-- Schema: 4
-- Serves: Pharos 0.2.0 (schema 1) and later
ALTER TABLE worker ADD COLUMN jobs JSONB;
