-- Schema: 14
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Alerts in the browsers of members. Workers of older versions email members only.
ALTER TABLE instance ADD COLUMN push_public_key TEXT;
ALTER TABLE instance ADD COLUMN push_private_key_sealed BYTEA;

CREATE TABLE push_subscription (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE ON UPDATE CASCADE,
    target_sealed BYTEA NOT NULL,
    endpoint_hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    last_used_at TIMESTAMPTZ(3),
    tested_at TIMESTAMPTZ(3),
    FOREIGN KEY (organization_id, user_id) REFERENCES membership (organization_id, user_id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX push_subscription_organization_id_session_id_key ON push_subscription (organization_id, session_id);
CREATE INDEX push_subscription_organization_id_user_id_idx ON push_subscription (organization_id, user_id);
CREATE INDEX push_subscription_session_id_idx ON push_subscription (session_id);
CREATE INDEX push_subscription_endpoint_hash_idx ON push_subscription (endpoint_hash);

CREATE TABLE push_message (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    subscription_id TEXT NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE ON UPDATE CASCADE,
    content_sealed BYTEA NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ(3) NOT NULL,
    claimed_by TEXT,
    lease_until TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX push_message_subscription_id_number_idx ON push_message (subscription_id, number);
CREATE INDEX push_message_next_attempt_at_number_idx ON push_message (next_attempt_at, number);
