-- Schema: 25
-- Serves: Pharos 0.2.0 (schema 1) and later
-- What a check presents to servers that require a client certificate.
ALTER TABLE monitor ADD COLUMN client_certificate_sealed BYTEA;
