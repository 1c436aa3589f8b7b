-- Schema: 3
-- Serves: Pharos 0.2.0 (schema 1) and later

-- What DNS servers must respond: records or none.
ALTER TABLE monitor ADD COLUMN expected_answer TEXT NOT NULL DEFAULT 'records';
-- DNS servers that are asked besides the one that the URL names, and whether all of them must pass or any.
ALTER TABLE monitor ADD COLUMN resolvers TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE monitor ADD COLUMN resolver_match TEXT NOT NULL DEFAULT 'all';
