-- Schema: 5
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Earlier versions write both to `error`, which is read where these are null.
ALTER TABLE member_notice ADD COLUMN effect TEXT, ADD COLUMN region_name TEXT;
