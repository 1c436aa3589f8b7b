-- Schema: 23
-- Serves: Pharos 0.2.0 (schema 1) and later
-- How checks connect.
ALTER TABLE monitor
    ADD COLUMN ip_version TEXT NOT NULL DEFAULT 'any',
    ADD COLUMN connect_to TEXT;
