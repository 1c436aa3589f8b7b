-- Schema: 18
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Addresses that unsubscribed from a page or were removed, as a digest: an import that declares them as confirmed skips them.
CREATE TABLE page_unsubscribe (
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    -- SHA-256 of the ID of the page and the address.
    email_hash BYTEA NOT NULL,
    unsubscribed_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (page_id, email_hash)
);
