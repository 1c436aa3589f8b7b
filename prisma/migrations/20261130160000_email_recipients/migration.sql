-- Schema: 13
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Addresses that get alerts without an account. Workers of older versions email members only.
CREATE TABLE email_recipient (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE ON UPDATE CASCADE,
    email TEXT NOT NULL,
    description TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    rules JSONB NOT NULL,
    token_hash BYTEA,
    requested_at TIMESTAMPTZ(3),
    confirmed_at TIMESTAMPTZ(3),
    unsubscribed_at TIMESTAMPTZ(3),
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX email_recipient_organization_id_email_key ON email_recipient (organization_id, email);
CREATE UNIQUE INDEX email_recipient_token_hash_key ON email_recipient (token_hash);

CREATE TRIGGER email_recipient_version BEFORE UPDATE ON email_recipient FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at,token_hash,requested_at,confirmed_at,unsubscribed_at}'::text[]
          IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at,token_hash,requested_at,confirmed_at,unsubscribed_at}'::text[])
    EXECUTE FUNCTION count_version();
