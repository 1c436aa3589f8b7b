-- Schema: 19
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Which incident of another product it was, so that a second import finds it again.
ALTER TABLE incident ADD COLUMN import_ref TEXT
    CONSTRAINT incident_import_ref CHECK (length(import_ref) BETWEEN 1 AND 200);
CREATE UNIQUE INDEX incident_imported ON incident (organization_id, import_ref) WHERE import_ref IS NOT NULL;
