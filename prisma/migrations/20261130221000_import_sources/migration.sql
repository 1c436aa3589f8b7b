-- Schema: 16
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Where monitors were imported from, what the last import set, and notes of the team on a monitor.
ALTER TABLE monitor ADD COLUMN description TEXT;

-- Two installations of the same product can number their monitors alike. The refs of the first source of a format are those of its files; the
-- refs of others begin with the name of their source.
CREATE TABLE import_source (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE ON UPDATE CASCADE,
    format TEXT NOT NULL,
    name TEXT NOT NULL,
    is_first BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX import_source_organization_id_format_name_key ON import_source (organization_id, format, name);
CREATE UNIQUE INDEX import_source_first ON import_source (organization_id, format) WHERE is_first;

-- What an import set, as a digest of each value with a key: a field that has another value now was changed by people.
CREATE TABLE monitor_import (
    monitor_id TEXT PRIMARY KEY REFERENCES monitor (id) ON DELETE CASCADE ON UPDATE CASCADE,
    source_id TEXT NOT NULL REFERENCES import_source (id) ON DELETE CASCADE ON UPDATE CASCADE,
    digests JSONB NOT NULL,
    imported_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX monitor_import_source_id_idx ON monitor_import (source_id);
