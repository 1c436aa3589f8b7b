-- Schema: 20
-- Serves: Pharos 0.2.0 (schema 1) and later
ALTER TABLE monitor ADD COLUMN protocol TEXT NOT NULL DEFAULT 'none';
