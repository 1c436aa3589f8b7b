-- Schema: 12
-- Serves: Pharos 0.2.0 (schema 1) and later
-- The mail server that people set, where SMTP_URL is not. Older versions do not read it: they send email only with SMTP_URL.
CREATE TABLE mail_server (
    id INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    url_sealed BYTEA NOT NULL,
    sender_address TEXT NOT NULL,
    sender_name TEXT,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    updated_by TEXT NOT NULL
);
