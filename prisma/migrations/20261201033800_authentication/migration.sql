-- Schema: 24
-- Serves: Pharos 0.2.0 (schema 1) and later
-- How requests are authenticated.
ALTER TABLE monitor ADD COLUMN authentication_sealed BYTEA;
