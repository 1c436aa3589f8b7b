-- Schema: 1
-- Serves: Pharos 0.2.0 (schema 1) and later

-- The data of Pharos 0.2.0, by subject: installation, organizations and people, monitors, schedule and workers, results, maintenance, ledger,
-- incidents, webhooks, announcements, status pages, subscribers, email. prisma/schema.prisma describes the same for Prisma, which does not know
-- partitions, CHECKs, partial indexes and triggers.
--
-- IDs are text with a prefix. `number` orders rows of the same millisecond in lists. Email addresses are lowercase. Times have milliseconds.
-- What ends with `_sealed` is encrypted and bound to the ID of its row. Columns are in the order in which they were added, as in installations
-- that began before this version: both have the same catalog.

-- ==== Installation ====

-- One row: the oldest version that may start with this database.
CREATE TABLE schema_compatibility (
    id INTEGER PRIMARY KEY DEFAULT 1,
    -- That version, and its schema: kept by lib/platform/db/migrate.ts.
    oldest_release TEXT NOT NULL,
    oldest_migration TEXT NOT NULL,
    CONSTRAINT schema_compatibility_one_row CHECK (id = 1)
);

-- One row: this installation.
CREATE TABLE instance (
    id INTEGER PRIMARY KEY DEFAULT 1,
    -- A MAC per key in use, several during "pharos secrets rotate": a process that lacks one must not start.
    secret_key_checks TEXT[] NOT NULL,
    -- When the first organization was created; from then on, the setup page is closed.
    set_up_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT instance_one_row CHECK (id = 1)
);

-- One row: what became of scheduled backups, so that one worker creates each of them, and every process knows whether they succeed.
CREATE TABLE scheduled_backup (
    id INTEGER PRIMARY KEY DEFAULT 1,
    -- When a worker with BACKUP_DIR last looked whether one is due.
    watched_at TIMESTAMPTZ(3) NOT NULL,
    -- When the last one was started.
    started_at TIMESTAMPTZ(3),
    succeeded_at TIMESTAMPTZ(3),
    -- When the last one failed; null: it succeeded, or is running.
    failed_at TIMESTAMPTZ(3),
    CONSTRAINT scheduled_backup_one_row CHECK (id = 1)
);

-- Requests per organization or visitor in the current minute; rate-limiter-flexible defines the columns. Unlogged: a crash resets the counts.
CREATE UNLOGGED TABLE rate_limit (
    key TEXT PRIMARY KEY,
    points INTEGER NOT NULL DEFAULT 0,
    expire BIGINT
);

-- Counts the changes of a configuration, for callers that must not overwrite the change of another. A trigger, so that no writer in any version can
-- forget it.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;


-- ==== Organizations and people ====

CREATE TYPE plan AS ENUM ('free', 'pro', 'enterprise');
CREATE TYPE role AS ENUM ('owner', 'admin', 'member', 'viewer');
CREATE TYPE key_scope AS ENUM ('read', 'write');
CREATE TYPE token_kind AS ENUM ('password_reset', 'email_confirmation', 'invitation');

-- How a person proved who they are.
CREATE TYPE sign_in_method AS ENUM ('password', 'invitation', 'setup', 'provider', 'passkey');
CREATE TYPE actor_kind AS ENUM ('user', 'key', 'operator', 'endpoint');

-- Owns everything below, which is deleted with it.
CREATE TABLE organization (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    plan plan NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- How often members are emailed again about a monitor that is down and whose incident nobody has acknowledged; null: never.
    reminder_minutes INTEGER CHECK (reminder_minutes BETWEEN 5 AND 1440),
    -- From when members need a second factor to sign in; null: they do not.
    second_factor_from TIMESTAMPTZ(3)
);
CREATE INDEX organization_reminding ON organization (id) WHERE reminder_minutes IS NOT NULL;

-- A person who can sign in.
CREATE TABLE "user" (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    -- Null: the user has never set one and signs in with a provider.
    password_hash TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- Display name; null: the email address is shown.
    name TEXT,
    CONSTRAINT user_email_lower CHECK (email = lower(email))
);
CREATE UNIQUE INDEX user_email_key ON "user" (email);

-- A member of an organization. They can turn alerts off, for each of their organizations.
CREATE TABLE membership (
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    role role NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- Whether to email about monitors going down and recovering, and about disabled webhook endpoints.
    alert_mail BOOLEAN NOT NULL DEFAULT true,
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    -- Which of these, about monitors: JSON; empty for all.
    alert_rules JSONB NOT NULL DEFAULT '[]',
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX membership_user_id_idx ON membership (user_id);

CREATE TRIGGER membership_version BEFORE UPDATE ON membership FOR EACH ROW
    WHEN (OLD.role IS DISTINCT FROM NEW.role)
    EXECUTE FUNCTION count_version();

-- A sign-in in one browser. The cookie only identifies this row, so ending it takes effect immediately.
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    -- The organization selected in this browser; null: the first one joined.
    organization_id TEXT REFERENCES organization ON UPDATE CASCADE ON DELETE SET NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- To the minute.
    last_seen_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    -- The last client address.
    address TEXT,
    user_agent TEXT,
    -- When the second factor was last used in this session; null: never.
    second_factor_at TIMESTAMPTZ(3)
);
CREATE INDEX session_user_id_idx ON session (user_id);
CREATE INDEX session_organization_id_idx ON session (organization_id);
CREATE INDEX session_expires_at_idx ON session (expires_at);

-- A one-time link: a password reset, the confirmation of an address, an invitation.
CREATE TABLE one_time_token (
    id TEXT PRIMARY KEY,
    kind token_kind NOT NULL,
    -- SHA-256 of the token; the token itself is only in the link.
    hash BYTEA NOT NULL,
    email TEXT NOT NULL,
    -- The user, for a password reset.
    user_id TEXT REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    -- The organization and role, for an invitation. The organization, for a reset link created by a member.
    organization_id TEXT REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    role role,
    -- The user who created it; null: an API key, the service or the operator.
    created_by TEXT REFERENCES "user" ON UPDATE CASCADE ON DELETE SET NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    used_at TIMESTAMPTZ(3),
    -- The API key that created it. No foreign key: the link of a deleted key must not pass as the operator's.
    created_by_key TEXT,
    CONSTRAINT one_time_token_names_its_subject CHECK (
        CASE kind
            WHEN 'password_reset' THEN user_id IS NOT NULL
            WHEN 'invitation' THEN organization_id IS NOT NULL AND role IS NOT NULL
            ELSE true
        END
    )
);
CREATE UNIQUE INDEX one_time_token_hash_key ON one_time_token (hash);
CREATE INDEX one_time_token_user_id_idx ON one_time_token (user_id);
CREATE INDEX one_time_token_organization_id_idx ON one_time_token (organization_id);
CREATE INDEX one_time_token_created_by_idx ON one_time_token (created_by);
CREATE INDEX one_time_token_expires_at_idx ON one_time_token (expires_at);
-- One open link per purpose: a new one replaces the older.
CREATE UNIQUE INDEX one_time_token_open ON one_time_token (kind, email, COALESCE(organization_id, '')) WHERE used_at IS NULL;

-- An account of a user at a provider, such as a company's OpenID Connect issuer, with which they sign in.
CREATE TABLE identity (
    -- The provider: the issuer of its ID tokens, or its URL.
    issuer TEXT NOT NULL,
    -- The provider's own ID of the account, which it never gives to another one.
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    -- The address according to the provider when it was last used; null: it has none.
    email TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL,
    last_used_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_user_id_idx ON identity (user_id);

-- An authenticator app of a user: codes that change every 30 seconds (RFC 6238).
CREATE TABLE totp_factor (
    user_id TEXT PRIMARY KEY REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    secret_sealed BYTEA NOT NULL,
    -- When its first code was entered; null: it is not set up yet and protects nothing.
    confirmed_at TIMESTAMPTZ(3),
    -- The time step of the last code that was used: neither it nor an earlier one works again.
    last_step INTEGER,
    created_at TIMESTAMPTZ(3) NOT NULL
);

-- A code that replaces the second factor once, for people who lost it.
CREATE TABLE recovery_code (
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    -- SHA-256 of the code; the code itself is shown once and not stored.
    hash BYTEA NOT NULL,
    used_at TIMESTAMPTZ(3),
    PRIMARY KEY (user_id, hash)
);

-- A passkey of a user (WebAuthn): a key pair in a device or password manager, which a PIN or biometrics unlock.
CREATE TABLE passkey (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    -- What the device calls it.
    credential_id BYTEA NOT NULL,
    -- Encoded as the device sent it (COSE).
    public_key BYTEA NOT NULL,
    -- How often it was used, as far as the device counts; most do not, and stay at 0.
    counter BIGINT NOT NULL,
    -- How browsers reach it, such as `internal` or `usb`.
    transports TEXT[],
    -- Whether it can exist on several devices.
    is_synced BOOLEAN NOT NULL,
    -- Whether it would survive the loss of the device.
    is_backed_up BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    last_used_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id);
CREATE INDEX passkey_user_id_idx ON passkey (user_id);

-- A challenge that a passkey has signed, until it expires: it does not count a second time.
CREATE TABLE used_challenge (
    challenge BYTEA PRIMARY KEY,
    expires_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX used_challenge_expires_at_idx ON used_challenge (expires_at);

-- A sign-in that lacks something: a second factor, or setting one up. It ends with its session, or after ten minutes.
CREATE TABLE pending_sign_in (
    -- SHA-256 of the token, which is only in a cookie.
    hash BYTEA PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    -- What was proven.
    method sign_in_method NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX pending_sign_in_user_id_idx ON pending_sign_in (user_id);
CREATE INDEX pending_sign_in_expires_at_idx ON pending_sign_in (expires_at);

-- What programs authenticate with.
CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- SHA-256 of the key; the key itself is shown once and not stored.
    hash BYTEA NOT NULL,
    -- The first characters, to distinguish keys.
    hint TEXT NOT NULL,
    scope key_scope NOT NULL,
    expires_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),
    revoked_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- The ID of the first key in a series of rotations; its own ID if it was never rotated.
    lineage_id TEXT NOT NULL,
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX api_key_hash_key ON api_key (hash);
CREATE INDEX api_key_organization_id_idx ON api_key (organization_id);

CREATE TRIGGER api_key_version BEFORE UPDATE ON api_key FOR EACH ROW
    WHEN ((OLD.name, OLD.scope, OLD.expires_at, OLD.revoked_at) IS DISTINCT FROM (NEW.name, NEW.scope, NEW.expires_at, NEW.revoked_at))
    EXECUTE FUNCTION count_version();

-- The first response to an Idempotency-Key, encrypted because it can contain a secret.
CREATE TABLE idempotent_answer (
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    -- Method and path.
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash BYTEA NOT NULL,
    answer_sealed BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- lineage_id of the API key that sent the request; no other key gets the response.
    lineage_id TEXT NOT NULL,
    PRIMARY KEY (organization_id, lineage_id, operation, key)
);
CREATE INDEX idempotent_answer_created_at_idx ON idempotent_answer (created_at);

-- Who did what in an organization. Stores the name of the actor, because the log outlives users and keys.
CREATE TABLE audit_entry (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    at TIMESTAMPTZ(3) NOT NULL,
    -- One of lib/domain/context/permissions.ts.
    action TEXT NOT NULL,
    actor_kind actor_kind NOT NULL,
    actor_id TEXT,
    actor_label TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    subject_label TEXT NOT NULL,
    -- Only changed fields; secrets are named but never included.
    before JSONB,
    after JSONB,
    -- The client address; null on the command line.
    address TEXT,
    -- As in the log; null outside of requests.
    request_id TEXT
);
CREATE INDEX audit_entry_organization_id_at_number_idx ON audit_entry (organization_id, at, number);
CREATE INDEX audit_entry_organization_id_subject_id_at_idx ON audit_entry (organization_id, subject_id, at);
CREATE INDEX audit_entry_organization_id_request_id_idx ON audit_entry (organization_id, request_id);


-- ==== Monitors ====

CREATE TYPE monitor_type AS ENUM ('http', 'tcp', 'ping', 'dns', 'heartbeat');
CREATE TYPE monitor_status AS ENUM ('pending', 'operational', 'degraded', 'down');

-- Numbers of regions in stored results; smaller ones are those of the service. One is never used again, not even after a rollback.
CREATE SEQUENCE region_number AS SMALLINT MINVALUE 101;

-- A region of an organization itself. Kept after it is deleted, because old results name it.
CREATE TABLE region (
    -- Contains the number of the region in stored results.
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- The ID of a city.
    place TEXT NOT NULL,
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    deleted_at TIMESTAMPTZ(3)
);
CREATE INDEX region_organization_id_idx ON region (organization_id);
-- Deleted regions free their names.
CREATE UNIQUE INDEX region_name_key ON region (organization_id, lower(name)) WHERE deleted_at IS NULL;

CREATE TRIGGER region_version BEFORE UPDATE ON region FOR EACH ROW
    WHEN ((OLD.name, OLD.place) IS DISTINCT FROM (NEW.name, NEW.place))
    EXECUTE FUNCTION count_version();

-- What is monitored, and how: configuration only. Checks never write this row.
CREATE TABLE monitor (
    id TEXT PRIMARY KEY,
    -- Identifies the monitor in stored results, in four bytes instead of thirty.
    number SERIAL NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    type monitor_type NOT NULL,
    method TEXT NOT NULL,
    interval INTEGER NOT NULL,
    timeout INTEGER NOT NULL,
    expected_status_code INTEGER NOT NULL,
    -- Headers as JSON, encrypted and bound to the ID of the row; null if there are none.
    headers_sealed BYTEA,
    body_sealed BYTEA,
    regions TEXT[],
    alert_threshold INTEGER NOT NULL,
    recovery_threshold INTEGER NOT NULL,
    degraded_threshold INTEGER NOT NULL,
    follow_redirects BOOLEAN NOT NULL,
    keyword TEXT,
    tls_verify BOOLEAN NOT NULL,
    tls_expiry_days INTEGER,
    tags TEXT[],
    ref TEXT,
    enabled BOOLEAN NOT NULL,
    -- Incremented when probed fields change; results of an older version are dropped.
    config_version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    max_redirects INTEGER NOT NULL DEFAULT 5,
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    confirm_interval INTEGER,
    assertions JSONB NOT NULL DEFAULT '[]',
    -- What is sent before a banner is read, encrypted and bound to the ID of the row; null for nothing.
    send_sealed BYTEA,
    -- Seconds.
    grace INTEGER NOT NULL DEFAULT 3600,
    period INTEGER,
    -- As JSON.
    schedule TEXT,
    -- The token of the heartbeat URL, encrypted, and its SHA-256; null if the monitor never was of a type that has one.
    heartbeat_token_sealed BYTEA,
    heartbeat_token_hash BYTEA,
    -- The monitors that it depends on, of the same organization and without cycles; the deletion of one removes it here.
    depends_on TEXT[] NOT NULL DEFAULT '{}',
    CONSTRAINT monitor_regions_not_empty CHECK (cardinality(regions) > 0)
);
CREATE UNIQUE INDEX monitor_number_key ON monitor (number);
CREATE UNIQUE INDEX monitor_organization_id_ref_key ON monitor (organization_id, ref);
-- Lists of monitors are ordered by creation time, then ID, or by name: pages are read without sorting all.
CREATE INDEX monitor_organization_id_created_at_id_idx ON monitor (organization_id, created_at, id);
CREATE UNIQUE INDEX monitor_heartbeat_token_hash_key ON monitor (heartbeat_token_hash);
CREATE INDEX monitor_depends_on ON monitor USING gin (depends_on) WHERE depends_on <> '{}';
CREATE INDEX monitor_by_name ON monitor (organization_id, lower(name) COLLATE "C", id);

-- The row is configuration only, so new columns count too.
CREATE TRIGGER monitor_version BEFORE UPDATE ON monitor FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,config_version,updated_at}'::text[] IS DISTINCT FROM
          to_jsonb(NEW) - '{version,config_version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

-- The number of monitors of an organization, kept by triggers: a page of a list shows it without reading all. A table of its own, so that deleting a
-- monitor does not wait for a transaction that locks the organization.
CREATE TABLE monitor_count (
    organization_id TEXT PRIMARY KEY REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    monitors INTEGER NOT NULL
);

CREATE FUNCTION count_created_monitors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO monitor_count (organization_id, monitors)
    SELECT organization_id, count(*) FROM changed GROUP BY 1 ORDER BY 1
        ON CONFLICT (organization_id) DO UPDATE SET monitors = monitor_count.monitors + excluded.monitors;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_deleted_monitors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE monitor_count SET monitors = monitor_count.monitors - gone.monitors
      FROM (SELECT organization_id, count(*) AS monitors FROM changed GROUP BY 1) AS gone
     WHERE monitor_count.organization_id = gone.organization_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER monitor_created AFTER INSERT ON monitor REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_created_monitors();

CREATE TRIGGER monitor_deleted AFTER DELETE ON monitor REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_monitors();

-- The current state of a monitor: one narrow row, written by the engine with every recorded check.
CREATE TABLE monitor_state (
    monitor_id TEXT PRIMARY KEY REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    config_version INTEGER NOT NULL,
    status monitor_status NOT NULL,
    -- The state of lib/state/transition.ts: verdicts and counters of every region.
    machine JSONB NOT NULL,
    last_checked_at TIMESTAMPTZ(3),
    last_response_time INTEGER,
    consecutive_failures INTEGER NOT NULL,
    -- During maintenance: the last notified status before it. Otherwise null.
    status_before_maintenance monitor_status,
    -- Whether it has rows in ledger_correction; kept by a trigger.
    is_corrected BOOLEAN NOT NULL DEFAULT false
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX monitor_state_in_maintenance ON monitor_state (monitor_id) WHERE status_before_maintenance IS NOT NULL;

-- A deploy or another change that people mark, shown in charts. Not an "event", which is what the outbox sends.
CREATE TABLE marker (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    url TEXT,
    -- It concerns monitors with one of these tags, and these monitors; all, if both are empty.
    tags TEXT[],
    -- No foreign keys: a marker is history, and outlives them.
    monitors TEXT[],
    occurred_at TIMESTAMPTZ(3) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX marker_organization_id_occurred_at_number_idx ON marker (organization_id, occurred_at, number);


-- ==== Schedule and workers ====
-- Workers own parts of the schedule: see docs/decisions/0028-leased-shards.md.

CREATE SCHEMA raw;

-- What a worker does: everything, or only checks (WORKER_DUTIES).
CREATE TYPE worker_duties AS ENUM ('all', 'probe');

-- A running worker, so that others and /api/health can see that the engine is running.
CREATE TABLE worker (
    id TEXT PRIMARY KEY,
    regions TEXT[],
    started_at TIMESTAMPTZ(3) NOT NULL,
    seen_at TIMESTAMPTZ(3) NOT NULL,
    -- Since when it has no network; its results are dropped in the meantime.
    cut_off_at TIMESTAMPTZ(3),
    -- Since when Inngest has not woken it; it wakes itself in the meantime.
    inngest_silent_since TIMESTAMPTZ(3),
    duties worker_duties NOT NULL DEFAULT 'all',
    -- When the oldest result or attempt finished that it has not stored yet; null: all are stored.
    pending_since TIMESTAMPTZ(3),
    -- The name of its host, and the machine: the same for all containers on it. Null of older versions.
    host TEXT,
    machine TEXT
);

-- When a worker with these duties last ran; kept after the worker stops.
CREATE TABLE duties_presence (
    duties worker_duties PRIMARY KEY,
    served_at TIMESTAMPTZ(3) NOT NULL
);

-- When Inngest last woke a drain, by app and function; empty without Inngest.
CREATE TABLE wake (
    drain TEXT PRIMARY KEY,
    woken_at TIMESTAMPTZ(3) NOT NULL
);

-- When a running worker last served a region; kept after the worker stops.
CREATE TABLE region_presence (
    region TEXT PRIMARY KEY,
    served_at TIMESTAMPTZ(3) NOT NULL
);

-- A region without a worker that members were notified of: one email per outage, whichever worker notices.
CREATE TABLE region_outage (
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    region TEXT NOT NULL,
    -- When the region was last served.
    since TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (organization_id, region)
);

-- What probes in other networks authenticate with, created by the operator.
CREATE TABLE probe_token (
    id TEXT PRIMARY KEY,
    region TEXT NOT NULL,
    name TEXT NOT NULL,
    -- SHA-256 of the token; the token itself is shown once and not stored.
    hash BYTEA NOT NULL,
    -- The first characters, to distinguish tokens.
    hint TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),
    revoked_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX probe_token_hash_key ON probe_token (hash);

-- A probe in another network. Unlike its row among the workers, this one outlives it, until it announces that it leaves.
CREATE TABLE probe (
    -- The ID of its worker.
    id TEXT PRIMARY KEY,
    token_id TEXT NOT NULL REFERENCES probe_token ON UPDATE CASCADE ON DELETE CASCADE,
    region TEXT NOT NULL,
    host TEXT NOT NULL,
    machine TEXT NOT NULL,
    -- The client address of its last report, as the web process sees it.
    address TEXT,
    started_at TIMESTAMPTZ(3) NOT NULL,
    seen_at TIMESTAMPTZ(3) NOT NULL,
    is_leaving BOOLEAN NOT NULL DEFAULT false,
    -- What it reports of its last minute; null of older versions.
    version TEXT,
    checks_per_second DOUBLE PRECISION,
    lateness_ms INTEGER,
    backlog INTEGER,
    -- When it was last seen before members were notified of its silence; null: they were not.
    silent_since TIMESTAMPTZ(3)
);
CREATE INDEX probe_token_id_idx ON probe (token_id);
CREATE INDEX probe_region_idx ON probe (region);

-- The place of a monitor in the schedule of a region. The owner of its shard knows when it is checked next.
CREATE TABLE probe_schedule (
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    region TEXT NOT NULL,
    -- 0–255, fixed: shards are ranges of slots.
    slot SMALLINT NOT NULL,
    -- 0–9999, ten-thousandths of the interval: when checks run within it, so that monitors created together spread out.
    phase SMALLINT NOT NULL,
    -- A check is due then, whatever the grid says, unless one has begun since; after it, the grid applies.
    next_check_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (monitor_id, region),
    CONSTRAINT probe_schedule_slot_range CHECK (slot BETWEEN 0 AND 255 AND phase BETWEEN 0 AND 9999)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX probe_schedule_region_slot_idx ON probe_schedule (region, slot);

-- Who owns the shards of a region, sixteen parts of its slots. A result is stored only under the epoch of its owner.
CREATE TABLE raw.shard_lease (
    region TEXT NOT NULL,
    shard SMALLINT NOT NULL CHECK (shard BETWEEN 0 AND 15),
    owner TEXT,
    epoch BIGINT NOT NULL DEFAULT 0,
    -- When it was released; null while it is owned, and before it ever was.
    released_at TIMESTAMPTZ(3),
    -- The last batches of results, so that one whose acknowledgment was lost is stored once.
    last_routine UUID,
    last_decided UUID,
    PRIMARY KEY (region, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The workers that run the checks of a region. One that stops writing its row loses its shards.
CREATE TABLE raw.check_runner (
    region TEXT NOT NULL,
    worker_id TEXT NOT NULL,
    seen_at TIMESTAMPTZ(3) NOT NULL,
    -- The connection that wrote the row: when it ends, so does its worker.
    backend INTEGER NOT NULL,
    -- The worker knows everything before this transaction.
    knows_before XID8 NOT NULL,
    -- When the oldest check became due that the worker has not started; null: none.
    due_since TIMESTAMPTZ(3),
    -- Whether it stops: it takes no more shards, and keeps its own until others have taken them, a few at a time.
    is_leaving BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (region, worker_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Which monitors the owners of shards must read again, by the transaction that changed them: a snapshot tells exactly which of these a worker has not
-- seen, in whatever order transactions commit.
CREATE TABLE raw.schedule_change (
    region TEXT NOT NULL,
    xid XID8 NOT NULL DEFAULT pg_current_xact_id(),
    monitor_id TEXT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX schedule_change_region_xid ON raw.schedule_change (region, xid);

-- The region and the monitor of a row never change.
CREATE FUNCTION note_schedule_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO raw.schedule_change (region, monitor_id)
    VALUES (coalesce(NEW.region, OLD.region), coalesce(NEW.monitor_id, OLD.monitor_id));
    RETURN NULL;
END
$$;

CREATE TRIGGER probe_schedule_change AFTER INSERT OR DELETE OR UPDATE ON probe_schedule
    FOR EACH ROW EXECUTE FUNCTION note_schedule_change();

-- Its argument is the column with the ID of the monitor.
CREATE FUNCTION note_monitor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO raw.schedule_change (region, monitor_id)
    SELECT region, monitor_id FROM probe_schedule WHERE monitor_id = to_jsonb(NEW)->>TG_ARGV[0];
    RETURN NULL;
END
$$;

CREATE TRIGGER monitor_change AFTER UPDATE ON monitor
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION note_monitor_change('id');

-- Only a change of the mark: whether every result of the monitor is decided. A state without it is contested.
CREATE TRIGGER monitor_state_contested AFTER UPDATE OF machine ON monitor_state
    FOR EACH ROW WHEN ((OLD.machine->'isContested') IS DISTINCT FROM (NEW.machine->'isContested'))
    EXECUTE FUNCTION note_monitor_change('monitor_id');

-- What is known of the calls of a job; written only under the lock of its monitor's state.
CREATE TABLE heartbeat (
    monitor_id TEXT PRIMARY KEY REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    -- The last call of any kind; null: none yet.
    called_at TIMESTAMPTZ(3),
    -- When the current run began, if the job reports that.
    run_started_at TIMESTAMPTZ(3),
    -- When the job is late; null: paused, or awaiting the first call.
    deadline_at TIMESTAMPTZ(3),
    -- When the deadline was set: gaps in reception count from then on.
    counted_from TIMESTAMPTZ(3),
    -- The first deadline missed since the last call; null: none.
    late_since TIMESTAMPTZ(3),
    -- Runs whose start was reported with an ID, at most ten, oldest first.
    runs JSONB NOT NULL DEFAULT '[]'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX heartbeat_deadline_at_idx ON heartbeat (deadline_at);

-- One row: until when the service could receive heartbeats, to a few seconds.
CREATE TABLE reception (
    id INTEGER PRIMARY KEY DEFAULT 1,
    received_until TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT reception_one_row CHECK (id = 1)
);

-- Time in which the service could not receive heartbeats, which does not count.
CREATE TABLE reception_gap (
    to_at TIMESTAMPTZ(3) PRIMARY KEY,
    from_at TIMESTAMPTZ(3) NOT NULL
);


-- ==== Results ====
-- Partitions and what belongs to them are in the schema raw, which Prisma does not see.

-- The first failure of a run, the first success after it, or the good response of a day.
CREATE TYPE evidence_kind AS ENUM ('failure', 'recovery', 'good');

-- Results of checks, in one partition per day, which is dropped when it expires. Columns are ordered so that none needs padding: with all phases and
-- its index, a row takes less than 120 bytes.
CREATE TABLE raw.check_result (
    checked_at TIMESTAMPTZ(3) NOT NULL,
    -- monitor.number: four bytes instead of thirty.
    monitor INTEGER NOT NULL,
    response_time INTEGER,
    -- The phases in milliseconds, at most 32767: two phases cannot both be longer, and response_time is exact.
    dns SMALLINT,
    connect SMALLINT,
    tls SMALLINT,
    first_byte SMALLINT,
    transfer SMALLINT,
    region SMALLINT NOT NULL,
    -- 0 ok, 1 failed, 2 unknown.
    outcome SMALLINT NOT NULL CHECK (outcome BETWEEN 0 AND 2),
    status_code SMALLINT,
    error_code TEXT,
    error TEXT,
    -- True for a result that a probe measured while it could not reach the service, or delivered after another had taken over its shard: history
    -- that decides nothing. Null for all others.
    late BOOLEAN
) PARTITION BY RANGE (checked_at);
CREATE INDEX check_result_monitor ON raw.check_result (monitor, checked_at);
-- Results arrive in the order of their time: a few bytes per megabyte suffice to find an hour of all monitors.
CREATE INDEX check_result_time ON raw.check_result USING brin (checked_at) WITH (autosummarize = on);
-- The few results that are not good.
CREATE INDEX check_result_trouble ON raw.check_result (monitor, checked_at) WHERE outcome <> 0;

-- One hour of one monitor from one region, in partitions of one month, which are dropped when they expire. No foreign key: a rollup locks no monitor,
-- and rows of a deleted one expire with their partition.
CREATE TABLE raw.rollup_hour (
    hour TIMESTAMPTZ(3) NOT NULL,
    -- Milliseconds of all successful checks together.
    response_time_sum BIGINT NOT NULL,
    monitor INTEGER NOT NULL,
    -- Checks with a result about the target, and how many of them failed; unknown ones are counted separately.
    checks INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    region SMALLINT NOT NULL,
    -- Response times of successful checks: one entry per bucket in use.
    latency INTEGER[] NOT NULL,
    PRIMARY KEY (monitor, hour, region)
) PARTITION BY RANGE (hour);

-- One row: the hours before this moment are rolled up.
CREATE TABLE raw.rollup_progress (
    id INTEGER PRIMARY KEY DEFAULT 1,
    rolled_until TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT rollup_progress_one_row CHECK (id = 1)
);

-- What a check saw: the first failure of a run, the first success after it, or the good response of a day.
CREATE TABLE check_evidence (
    id TEXT PRIMARY KEY,
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    -- The number of the region, as in stored results.
    region SMALLINT NOT NULL,
    checked_at TIMESTAMPTZ(3) NOT NULL,
    kind evidence_kind NOT NULL,
    -- Compressed JSON, encrypted and bound to the ID of the row.
    content_sealed BYTEA NOT NULL
);
-- It is compressed before it is encrypted.
ALTER TABLE check_evidence ALTER COLUMN content_sealed SET STORAGE EXTERNAL;
CREATE INDEX check_evidence_monitor_id_checked_at_idx ON check_evidence (monitor_id, checked_at);
-- Whether the last failure of a region was followed by a success: empty for monitors that never fail.
CREATE INDEX check_evidence_runs ON check_evidence (monitor_id, region, checked_at) WHERE kind <> 'good';

-- One check that a user waits for, run by a worker of its region; deleted with the response. Unlogged: nothing in it is worth keeping.
CREATE UNLOGGED TABLE dry_run (
    id TEXT PRIMARY KEY,
    region TEXT NOT NULL,
    target_sealed BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    claimed_at TIMESTAMPTZ(3),
    result JSONB
);

-- A check of one region that somebody requested, and its result. Separate from raw.check_result, so that nothing that decides, counts or averages can
-- see it.
CREATE TABLE manual_check (
    -- The same for all regions of a request.
    id TEXT NOT NULL,
    region TEXT NOT NULL,
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    requested_at TIMESTAMPTZ(3) NOT NULL,
    -- Until when the requester waits.
    expires_at TIMESTAMPTZ(3) NOT NULL,
    claimed_at TIMESTAMPTZ(3),
    finished_at TIMESTAMPTZ(3),
    checked_at TIMESTAMPTZ(3),
    outcome SMALLINT CHECK (outcome BETWEEN 0 AND 2),
    -- The other fields of the result, as the API returns them.
    findings JSONB,
    PRIMARY KEY (id, region)
);
-- The last request of a monitor.
CREATE INDEX manual_check_monitor_id_requested_at_idx ON manual_check (monitor_id, requested_at);
-- Its results, newest first.
CREATE INDEX manual_check_monitor_id_checked_at_idx ON manual_check (monitor_id, checked_at);
CREATE INDEX manual_check_pending ON manual_check (expires_at) WHERE finished_at IS NULL;


-- ==== Maintenance ====

-- Planned maintenance, once or repeatedly.
CREATE TABLE maintenance_window (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    title TEXT NOT NULL,
    message TEXT NOT NULL,
    -- For the first occurrence; all have the same length.
    starts_at TIMESTAMPTZ(3) NOT NULL,
    ends_at TIMESTAMPTZ(3) NOT NULL,
    -- An RFC 5545 RRULE, in the local time of `time_zone`; null: once.
    rrule TEXT,
    time_zone TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    -- `{"de": {"title", "message"}}`
    translations JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT maintenance_window_ends_after_start CHECK (ends_at > starts_at)
);
CREATE INDEX maintenance_window_organization_id_created_at_idx ON maintenance_window (organization_id, created_at);

-- All columns count, so that a new one cannot be forgotten.
CREATE TRIGGER maintenance_window_version BEFORE UPDATE ON maintenance_window FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

-- A monitor of a window. Deleted monitors leave gaps between positions, which only define an order.
CREATE TABLE maintenance_window_monitor (
    window_id TEXT NOT NULL REFERENCES maintenance_window ON UPDATE CASCADE ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (window_id, monitor_id)
);
CREATE INDEX maintenance_window_monitor_monitor_id_idx ON maintenance_window_monitor (monitor_id);

-- The current or next occurrence of a window (`ended_at` is null; at most one), and past ones.
CREATE TABLE maintenance_occurrence (
    window_id TEXT NOT NULL REFERENCES maintenance_window ON UPDATE CASCADE ON DELETE CASCADE,
    starts_at TIMESTAMPTZ(3) NOT NULL,
    ends_at TIMESTAMPTZ(3) NOT NULL,
    ended_at TIMESTAMPTZ(3),
    -- When subscribers of public pages were notified that it began.
    announced_at TIMESTAMPTZ(3),
    PRIMARY KEY (window_id, starts_at),
    CONSTRAINT maintenance_occurrence_not_before_start CHECK (ends_at >= starts_at)
);
-- A window has at most one current or next occurrence.
CREATE UNIQUE INDEX maintenance_occurrence_open ON maintenance_occurrence (window_id) WHERE ended_at IS NULL;
-- Which occurrences have begun, and which are over: asked every second.
CREATE INDEX maintenance_occurrence_due ON maintenance_occurrence (starts_at, ends_at) WHERE ended_at IS NULL;
CREATE INDEX maintenance_occurrence_ended ON maintenance_occurrence (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX maintenance_occurrence_unannounced ON maintenance_occurrence (starts_at) WHERE ended_at IS NULL AND announced_at IS NULL;


-- ==== Ledger ====
-- Uptime without reading the whole ledger: see docs/decisions/0029-uptime-rollup.md.

-- The state of a period in the ledger: the statuses, and states that count as neither up nor down.
CREATE TYPE period_state AS ENUM ('pending', 'operational', 'degraded', 'down', 'paused', 'maintenance', 'unknown');

-- The ledger: one row per period of one state. Uptime, day bars and transitions are derived from it.
CREATE TABLE status_period (
    id BIGSERIAL PRIMARY KEY,
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    state period_state NOT NULL,
    from_at TIMESTAMPTZ(3) NOT NULL,
    to_at TIMESTAMPTZ(3),
    -- When it was decided; `from_at` may be earlier (back-dating).
    decided_at TIMESTAMPTZ(3) NOT NULL,
    -- The rule that applied, verdicts, counters and config version.
    why JSONB,
    -- Known time and downtime of the monitor before it, in milliseconds; a trigger fills in what is not given.
    known_before BIGINT,
    down_before BIGINT,
    CONSTRAINT status_period_forward CHECK (to_at IS NULL OR to_at >= from_at),
    CONSTRAINT status_period_has_sums CHECK (known_before IS NOT NULL AND down_before IS NOT NULL)
);
CREATE INDEX status_period_monitor_id_from_at_idx ON status_period (monitor_id, from_at);
-- Each monitor has one current period.
CREATE UNIQUE INDEX status_period_current ON status_period (monitor_id) WHERE to_at IS NULL;

-- The days of a month from the periods that have ended, written by triggers: 31 values each. Milliseconds; `worst` is 0 unknown, 1 operational, 2
-- degraded, 3 down.
CREATE TABLE uptime_month (
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    month DATE NOT NULL,
    known INTEGER[] NOT NULL,
    down INTEGER[] NOT NULL,
    worst SMALLINT[] NOT NULL,
    PRIMARY KEY (monitor_id, month)
);

-- 0 for states that do not count as known time.
CREATE FUNCTION status_rank(state period_state) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE state WHEN 'operational' THEN 1 WHEN 'degraded' THEN 2 WHEN 'down' THEN 3 ELSE 0 END::smallint
$$;

-- For writers that provide no sums.
CREATE FUNCTION continue_uptime() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT known_before + CASE WHEN status_rank(state) > 0 THEN ms ELSE 0 END,
           down_before + CASE WHEN state = 'down' THEN ms ELSE 0 END
      INTO NEW.known_before, NEW.down_before
      FROM (SELECT period.*, round(extract(epoch FROM coalesce(to_at, NEW.from_at) - from_at) * 1000) AS ms
              FROM status_period AS period
             WHERE monitor_id = NEW.monitor_id AND from_at <= NEW.from_at AND id <> NEW.id
             ORDER BY from_at DESC, id DESC LIMIT 1) AS previous;
    NEW.known_before = coalesce(NEW.known_before, 0);
    NEW.down_before = coalesce(NEW.down_before, 0);
    RETURN NEW;
END
$$;

-- Adds ended periods, given by their IDs, to the days of their monitors.
CREATE FUNCTION roll_up_periods(ended bigint[]) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
    WITH known AS (
        SELECT monitor_id, status_rank(state) AS rank, from_at, to_at FROM status_period
         WHERE id = ANY(ended) AND to_at > from_at AND status_rank(state) > 0
    ), days AS (
        SELECT monitor_id, day, sum(ms)::int AS known, coalesce(sum(ms) FILTER (WHERE rank = 3), 0)::int AS down, max(rank) AS worst
          FROM (SELECT monitor_id, rank, day,
                       round(extract(epoch FROM least(to_at, day + interval '1 day') - greatest(from_at, day)) * 1000) AS ms
                  FROM known, generate_series(date_trunc('day', from_at), to_at - interval '1 millisecond', interval '1 day') AS day) AS part
         GROUP BY monitor_id, day
    ), months AS (
        SELECT DISTINCT monitor_id, date_trunc('month', day) AS month FROM days
    )
    INSERT INTO uptime_month AS kept (monitor_id, month, known, down, worst)
    SELECT months.monitor_id, month::date, array_agg(coalesce(known, 0) ORDER BY number),
           array_agg(coalesce(down, 0) ORDER BY number), array_agg(coalesce(worst, 0::smallint) ORDER BY number)
      FROM months CROSS JOIN generate_series(1, 31) AS number
           LEFT JOIN days ON days.monitor_id = months.monitor_id AND date_trunc('month', day) = month
                         AND extract(day FROM day) = number
     GROUP BY 1, 2
        ON CONFLICT (monitor_id, month) DO UPDATE
       SET known = array(SELECT one + other FROM unnest(kept.known, excluded.known) WITH ORDINALITY AS d (one, other, place) ORDER BY place),
           down = array(SELECT one + other FROM unnest(kept.down, excluded.down) WITH ORDINALITY AS d (one, other, place) ORDER BY place),
           worst = array(SELECT greatest(one, other) FROM unnest(kept.worst, excluded.worst) WITH ORDINALITY AS d (one, other, place) ORDER BY place);
END
$$;

CREATE FUNCTION roll_up_inserted_periods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ended bigint[] := array(SELECT id FROM written WHERE to_at IS NOT NULL);
BEGIN
    IF cardinality(ended) > 0 THEN
        PERFORM roll_up_periods(ended);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION roll_up_updated_periods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ended bigint[] := array(SELECT id FROM written JOIN replaced USING (id)
                             WHERE replaced.to_at IS NULL AND written.to_at IS NOT NULL);
BEGIN
    IF cardinality(ended) > 0 THEN
        PERFORM roll_up_periods(ended);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER status_period_sums BEFORE INSERT OR UPDATE ON status_period
    FOR EACH ROW WHEN (NEW.known_before IS NULL) EXECUTE FUNCTION continue_uptime();

CREATE TRIGGER status_period_inserted AFTER INSERT ON status_period
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_periods();

CREATE TRIGGER status_period_updated AFTER UPDATE ON status_period
    REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION roll_up_updated_periods();

-- What some time of a monitor counts as, over the ledger. Those of a monitor do not overlap.
CREATE TABLE ledger_correction (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    -- The window that was entered afterwards; null: a correction on its own.
    window_id TEXT REFERENCES maintenance_window ON UPDATE CASCADE ON DELETE CASCADE,
    state period_state NOT NULL,
    reason TEXT NOT NULL,
    -- The name of the author at the time.
    author TEXT NOT NULL,
    from_at TIMESTAMPTZ(3) NOT NULL,
    to_at TIMESTAMPTZ(3) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT ledger_correction_time CHECK (from_at < to_at)
);
CREATE INDEX ledger_correction_monitor_id_from_at_idx ON ledger_correction (monitor_id, from_at);
CREATE INDEX ledger_correction_organization_id_to_at_idx ON ledger_correction (organization_id, to_at);
CREATE INDEX ledger_correction_window_id_idx ON ledger_correction (window_id);

-- Retention deletes corrections without locking their states: those are locked here, in the order of the engine, and only then is it known which
-- corrections are left.
CREATE FUNCTION follow_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM monitor_state WHERE monitor_id IN (SELECT monitor_id FROM changed) ORDER BY monitor_id FOR UPDATE;
    UPDATE monitor_state AS state
       SET is_corrected = NOT is_corrected
     WHERE monitor_id IN (SELECT monitor_id FROM changed)
       AND is_corrected <> EXISTS (SELECT FROM ledger_correction WHERE monitor_id = state.monitor_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER ledger_correction_inserted AFTER INSERT ON ledger_correction REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_corrections();

CREATE TRIGGER ledger_correction_deleted AFTER DELETE ON ledger_correction REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_corrections();


-- ==== Incidents ====

CREATE TYPE incident_status AS ENUM ('investigating', 'identified', 'monitoring', 'resolved');
CREATE TYPE incident_severity AS ENUM ('minor', 'major', 'critical');

-- An outage as people see it, opened by the engine or by a person.
CREATE TABLE incident (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    status incident_status NOT NULL,
    severity incident_severity NOT NULL,
    automatic BOOLEAN NOT NULL,
    -- The monitor whose status opened it; no foreign key, because the incident outlives the monitor.
    monitor_id TEXT,
    affected_monitors TEXT[],
    -- When it was opened: the decision, not the beginning.
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- When it ended; if automatic, the first check of the run that resolved it.
    resolved_at TIMESTAMPTZ(3),
    number BIGSERIAL NOT NULL,
    -- The postmortem, as light Markdown; public once it is published.
    postmortem TEXT,
    postmortem_published_at TIMESTAMPTZ(3),
    -- When it began; if automatic, the first check of the run that opened it. The default is only for older versions.
    started_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- How often it changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    -- When somebody first said that they work on it, and their name at the time.
    acknowledged_at TIMESTAMPTZ(3),
    acknowledged_by TEXT,
    -- Rows of status pages without a monitor.
    affected_components TEXT[] NOT NULL DEFAULT '{}',
    -- The quiet time after which it is resolved while it is `monitoring`; null: people resolve it.
    resolve_after_minutes INTEGER,
    -- Its severity for single rows, by the ID of the monitor or component.
    impacts JSONB NOT NULL DEFAULT '{}',
    -- Its title and description in languages of status pages: `{"de": {"title", "description"}}`.
    translations JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT incident_published_postmortem_is_there CHECK (postmortem_published_at IS NULL OR postmortem IS NOT NULL)
);
CREATE INDEX incident_organization_id_created_at_idx ON incident (organization_id, created_at);
-- Each monitor has at most one open automatic incident.
CREATE UNIQUE INDEX incident_open_automatic ON incident (monitor_id) WHERE automatic AND resolved_at IS NULL;
CREATE INDEX incident_affected_monitors_idx ON incident USING gin (affected_monitors);
-- Open ones come first in the list, among any number of resolved ones.
CREATE INDEX incident_open ON incident (organization_id, created_at, number) WHERE resolved_at IS NULL;
CREATE INDEX incident_affected_components_idx ON incident USING gin (affected_components);

-- Everything counts, also what the engine writes: an update comes with a new `updated_at`.
CREATE TRIGGER incident_version BEFORE UPDATE ON incident FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION count_version();

-- What people or the service wrote about an incident.
CREATE TABLE incident_update (
    id TEXT PRIMARY KEY,
    incident_id TEXT NOT NULL REFERENCES incident ON UPDATE CASCADE ON DELETE CASCADE,
    status incident_status NOT NULL,
    message TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- The name of the author at the time; null: the service.
    author TEXT,
    -- `{"de": {"message"}}`
    translations JSONB NOT NULL DEFAULT '{}'
);
CREATE INDEX incident_update_incident_id_created_at_idx ON incident_update (incident_id, created_at);

-- An update that is published later, and is then deleted here.
CREATE TABLE scheduled_update (
    -- Also of the update that it becomes.
    id TEXT PRIMARY KEY,
    incident_id TEXT NOT NULL REFERENCES incident ON UPDATE CASCADE ON DELETE CASCADE,
    -- Null: no change.
    status incident_status,
    -- Null: no change; 0: none, people resolve the incident.
    resolve_after_minutes INTEGER,
    message TEXT NOT NULL,
    author TEXT NOT NULL,
    publish_at TIMESTAMPTZ(3) NOT NULL,
    -- When it was due, but the incident resolved.
    dropped_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- `{"de": {"message"}}`
    translations JSONB NOT NULL DEFAULT '{}'
);
CREATE INDEX scheduled_update_incident_id_idx ON scheduled_update (incident_id);
CREATE INDEX scheduled_update_due ON scheduled_update (publish_at) WHERE dropped_at IS NULL;

-- An incident that is resolved after a quiet time. Not part of it, since its version counts every change of its row.
CREATE TABLE incident_resolution (
    incident_id TEXT PRIMARY KEY REFERENCES incident ON UPDATE CASCADE ON DELETE CASCADE,
    -- Since when it is `monitoring` and has a quiet time.
    since TIMESTAMPTZ(3) NOT NULL,
    -- When a worker looks whether it is quiet.
    check_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX incident_resolution_check_at_idx ON incident_resolution (check_at);

-- What an incident or an update can be filled in from.
CREATE TABLE incident_template (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    severity incident_severity NOT NULL,
    status incident_status NOT NULL,
    -- Of the first update, or of the one that is posted.
    message TEXT NOT NULL,
    affected_monitors TEXT[],
    affected_components TEXT[],
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- `{"de": {"title", "message"}}`
    translations JSONB NOT NULL DEFAULT '{}'
);
CREATE INDEX incident_template_organization_id_idx ON incident_template (organization_id);

CREATE TRIGGER incident_template_version BEFORE UPDATE ON incident_template FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

-- Who used the link in an email that acknowledges an incident: it works once.
CREATE TABLE acknowledge_link_use (
    incident_id TEXT NOT NULL REFERENCES incident ON UPDATE CASCADE ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
    used_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (incident_id, user_id)
);
CREATE INDEX acknowledge_link_use_user_id_idx ON acknowledge_link_use (user_id);


-- ==== Webhooks ====

CREATE TYPE webhook_status AS ENUM ('active', 'failing', 'disabled');
CREATE TYPE webhook_format AS ENUM (
    'standard', 'slack', 'discord', 'teams', 'mattermost', 'googlechat', 'alertmanager', 'pagerduty', 'opsgenie', 'ntfy', 'telegram',
    'pushover', 'custom'
);

CREATE TYPE delivery_status AS ENUM ('pending', 'delivered', 'failed');

-- Where events are sent.
CREATE TABLE webhook_endpoint (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    url TEXT NOT NULL,
    description TEXT NOT NULL,
    events TEXT[],
    format webhook_format NOT NULL,
    enabled BOOLEAN NOT NULL,
    status webhook_status NOT NULL,
    secret_sealed BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- During a rotation: the new secret, valid next to the old one until the rotation ends, and alone afterwards.
    next_secret_sealed BYTEA,
    rotation_ends_at TIMESTAMPTZ(3),
    -- Since when all attempts have failed; null after a success.
    failing_since TIMESTAMPTZ(3),
    -- Deliveries that finally failed since then.
    failed_deliveries INTEGER NOT NULL DEFAULT 0,
    -- When it was disabled for failing too long; null once a person has enabled it again.
    auto_disabled_at TIMESTAMPTZ(3),
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    ref TEXT,
    -- What the product identifies the sender by: JSON, encrypted; null for none.
    credentials_sealed BYTEA,
    -- Headers of a custom format: JSON, encrypted; null for none.
    headers_sealed BYTEA,
    template TEXT,
    -- Which of these events are sent: JSON; empty for all.
    rules JSONB NOT NULL DEFAULT '[]',
    -- Whether messages about an open incident have a link that acknowledges it.
    acknowledge_links BOOLEAN NOT NULL DEFAULT true,
    CONSTRAINT webhook_endpoint_rotation_ends CHECK ((next_secret_sealed IS NULL) = (rotation_ends_at IS NULL))
);
CREATE INDEX webhook_endpoint_organization_id_idx ON webhook_endpoint (organization_id);
CREATE UNIQUE INDEX webhook_endpoint_organization_id_ref_key ON webhook_endpoint (organization_id, ref);

CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON webhook_endpoint FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed, OLD.headers_sealed, OLD.template, OLD.rules)
          IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed, NEW.headers_sealed, NEW.template, NEW.rules))
    EXECUTE FUNCTION count_version();

-- Something that happened, written in the same transaction.
CREATE TABLE outbox_event (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    kind TEXT NOT NULL,
    occurred_at TIMESTAMPTZ(3) NOT NULL,
    -- The exact text that is signed and sent with every attempt, to endpoints with the standard format.
    payload TEXT NOT NULL,
    -- The incident that it is about, if any. No foreign key: the log outlives the incident.
    incident_id TEXT
);
CREATE INDEX outbox_event_organization_id_occurred_at_idx ON outbox_event (organization_id, occurred_at);
CREATE INDEX outbox_event_incident_id_idx ON outbox_event (incident_id);

-- A monitor that an event is about: of an incident, each that it affected then.
CREATE TABLE event_monitor (
    event_id TEXT NOT NULL REFERENCES outbox_event ON UPDATE CASCADE ON DELETE CASCADE,
    -- No foreign key: the log outlives the monitor.
    monitor_id TEXT NOT NULL,
    occurred_at TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (event_id, monitor_id)
);
CREATE INDEX event_monitor_monitor_id_occurred_at_idx ON event_monitor (monitor_id, occurred_at);

-- One event for one endpoint; its ID is the same for every attempt.
CREATE TABLE delivery (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    event_id TEXT NOT NULL REFERENCES outbox_event ON UPDATE CASCADE ON DELETE CASCADE,
    -- No foreign key: the record of what was sent outlives the endpoint.
    endpoint_id TEXT NOT NULL,
    status delivery_status NOT NULL,
    -- Why it finally failed: exhausted, endpoint_disabled, endpoint_deleted.
    reason TEXT,
    -- Attempts started so far: the number of the newest attempt.
    attempts INTEGER NOT NULL,
    -- Failed attempts: the position in the retry schedule. An attempt interrupted by a crash does not count.
    failures INTEGER NOT NULL,
    next_attempt_at TIMESTAMPTZ(3),
    claimed_by TEXT,
    lease_until TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    settled_at TIMESTAMPTZ(3),
    number BIGSERIAL NOT NULL,
    -- A pending attempt outside of the schedule: a replay or a test.
    manual_attempt_at TIMESTAMPTZ(3),
    -- The exact text for an endpoint with another format, unsigned; null: the payload of the event.
    body TEXT,
    -- The format of its body, where that is rendered when it is first sent; null otherwise.
    format TEXT,
    -- Which message of its endpoint it belongs to: deliveries with the same key are about the same. Null: to none.
    message_key TEXT,
    -- What it says about the incident of the message: status and severity.
    message_status TEXT,
    -- When somebody used the link in its message that acknowledges an incident: it works once.
    link_used_at TIMESTAMPTZ(3),
    CONSTRAINT delivery_pending_is_due CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX delivery_organization_id_created_at_idx ON delivery (organization_id, created_at);
CREATE INDEX delivery_endpoint_id_created_at_idx ON delivery (endpoint_id, created_at);
CREATE INDEX delivery_event_id_idx ON delivery (event_id);
-- Pending deliveries, for the workers.
CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE status = 'pending';
-- Pending attempts outside of the schedule.
CREATE INDEX delivery_manual ON delivery (manual_attempt_at) WHERE manual_attempt_at IS NOT NULL;
-- The log is searched for what failed and what is pending.
CREATE INDEX delivery_undelivered ON delivery (organization_id, status, created_at, number) WHERE status <> 'delivered';
-- A claim takes a few of each endpoint, however long the backlog of one is, and first attempts before retries.
CREATE INDEX delivery_waiting ON delivery (endpoint_id, ((failures > 0)), next_attempt_at) WHERE status = 'pending';
-- What a message shows. Most deliveries belong to none.
CREATE INDEX delivery_message ON delivery (endpoint_id, message_key, number) WHERE message_key IS NOT NULL;

-- One attempt of a delivery; the row exists before the request is sent.
CREATE TABLE delivery_attempt (
    id TEXT PRIMARY KEY,
    delivery_id TEXT NOT NULL REFERENCES delivery ON UPDATE CASCADE ON DELETE CASCADE,
    number INTEGER NOT NULL,
    started_at TIMESTAMPTZ(3) NOT NULL,
    finished_at TIMESTAMPTZ(3),
    duration INTEGER,
    status_code INTEGER,
    response_headers JSONB,
    response_body TEXT,
    error TEXT,
    -- Outside of the schedule: a replay or a test.
    manual BOOLEAN NOT NULL DEFAULT false,
    -- The request with its headers; null while it is running, and if nothing was sent.
    url TEXT,
    request_headers JSONB,
    -- Null: POST.
    request_method TEXT
);
CREATE UNIQUE INDEX delivery_attempt_delivery_id_number_key ON delivery_attempt (delivery_id, number);

-- A message of an endpoint in a product that can edit it. Deleted when the endpoint goes elsewhere.
CREATE TABLE endpoint_message (
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint ON UPDATE CASCADE ON DELETE CASCADE,
    message_key TEXT NOT NULL,
    -- How the product identifies it; null: not sent yet, or it cannot be edited.
    remembered JSONB,
    -- The number of the delivery that it shows; null: not sent yet.
    shown_number BIGINT,
    -- The status that people were notified of last.
    notified_status TEXT,
    changed_at TIMESTAMPTZ(3) NOT NULL,
    -- The attempt that may change it until then.
    lease_id TEXT,
    lease_until TIMESTAMPTZ(3),
    PRIMARY KEY (endpoint_id, message_key)
);
CREATE INDEX endpoint_message_changed_at_idx ON endpoint_message (changed_at);


-- ==== Announcements ====
-- What decides when people are notified of a change.

-- A change of a monitor with dependencies that people are not notified of, or not yet. Deleted once they are.
CREATE TABLE held_announcement (
    id BIGSERIAL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    -- No foreign key: the change is announced even if the monitor is deleted meanwhile.
    monitor_id TEXT NOT NULL,
    incident_id TEXT,
    -- What it changed to.
    status monitor_status NOT NULL,
    -- Events that standard endpoints got, and others did not.
    event_ids TEXT[] NOT NULL,
    -- The notice to members, as in lib/domain/notices; null: none.
    notice JSONB,
    held_at TIMESTAMPTZ(3) NOT NULL,
    -- When a worker looks at it next; null while it is suppressed.
    look_at TIMESTAMPTZ(3),
    -- The monitor whose outage suppresses it, or did last; null: not decided.
    caused_by_id TEXT,
    caused_by_name TEXT,
    -- When the monitor recovered without having been announced; such rows are history.
    ended_at TIMESTAMPTZ(3)
);
CREATE INDEX held_announcement_organization_id_idx ON held_announcement (organization_id);
CREATE INDEX held_announcement_incident_id_idx ON held_announcement (incident_id);
CREATE INDEX held_announcement_ended_at_idx ON held_announcement (ended_at);
CREATE INDEX held_announcement_open ON held_announcement (monitor_id) WHERE ended_at IS NULL;
CREATE INDEX held_announcement_due ON held_announcement (look_at) WHERE ended_at IS NULL AND look_at IS NOT NULL;
CREATE INDEX held_announcement_suppressed ON held_announcement (caused_by_id) WHERE ended_at IS NULL AND look_at IS NULL;
CREATE INDEX held_announcement_monitor_id_held_at_idx ON held_announcement (monitor_id, held_at);

-- Changes of one cause within a minute, which people read as one: the first is sent to them at once, the rest as one summary.
CREATE TABLE story (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    started_at TIMESTAMPTZ(3) NOT NULL,
    -- What all of its changes have in common, as in lib/state/announcements/stories.
    causes TEXT[] NOT NULL,
    first_monitor_id TEXT NOT NULL,
    -- The webhook endpoints that got something about it at once.
    heard_by TEXT[] NOT NULL,
    -- When the rest is announced; null if there is none yet, or it was.
    rest_due_at TIMESTAMPTZ(3),
    rest_sent_at TIMESTAMPTZ(3)
);
CREATE INDEX story_organization_id_started_at_idx ON story (organization_id, started_at);
CREATE INDEX story_rest_due ON story (rest_due_at) WHERE rest_due_at IS NOT NULL;

-- A change of a monitor that belongs to a story.
CREATE TABLE story_change (
    id BIGSERIAL PRIMARY KEY,
    story_id TEXT NOT NULL REFERENCES story ON UPDATE CASCADE ON DELETE CASCADE,
    -- No foreign key: it is announced even if the monitor is deleted meanwhile.
    monitor_id TEXT NOT NULL,
    monitor_name TEXT NOT NULL,
    incident_id TEXT,
    -- What it changed to.
    status monitor_status NOT NULL,
    event_ids TEXT[] NOT NULL
);
CREATE INDEX story_change_story_id_monitor_id_idx ON story_change (story_id, monitor_id);
CREATE INDEX story_change_incident_id_idx ON story_change (incident_id);

-- A time in which a monitor flapped; people are notified of its beginning and its end.
CREATE TABLE flapping (
    id BIGSERIAL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    -- No foreign key: people are notified of the end even if the monitor is deleted.
    monitor_id TEXT NOT NULL,
    monitor_name TEXT NOT NULL,
    -- What it last changed to.
    status monitor_status NOT NULL,
    -- Since when the monitor had the status of the first change that counts, and when that made it flap.
    first_change_at TIMESTAMPTZ(3) NOT NULL,
    since TIMESTAMPTZ(3) NOT NULL,
    last_change_at TIMESTAMPTZ(3) NOT NULL,
    -- When a worker looks whether it is steady; null once it has ended.
    look_at TIMESTAMPTZ(3),
    -- When the monitor was paused, deleted or restarted, or entered maintenance.
    interrupted_at TIMESTAMPTZ(3),
    -- Rows that have ended are history.
    ended_at TIMESTAMPTZ(3),
    -- The incident of the change that began it, of which alerts are open, and that of the last change.
    incident_id TEXT,
    last_incident_id TEXT,
    -- The events of the last change: that of the monitor first.
    event_ids TEXT[] NOT NULL,
    -- The event that resolved `incident_id`, of which alerts are still open.
    end_event_id TEXT,
    -- Of the last outage.
    error TEXT
);
CREATE INDEX flapping_organization_id_idx ON flapping (organization_id);
CREATE INDEX flapping_monitor_id_idx ON flapping (monitor_id);
CREATE INDEX flapping_ended_at_idx ON flapping (ended_at);
CREATE UNIQUE INDEX flapping_open ON flapping (monitor_id) WHERE ended_at IS NULL;
CREATE INDEX flapping_due ON flapping (look_at) WHERE ended_at IS NULL;


-- ==== Status pages ====

-- Who may see a published page.
CREATE TYPE page_visibility AS ENUM ('public', 'password', 'ip', 'members');

-- Why a verified custom domain is not served: its record is missing, or another page was first.
CREATE TYPE domain_setback AS ENUM ('lost', 'taken');

-- A public or private page about monitors.
CREATE TABLE status_page (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- Unique across all organizations: it is the public address.
    slug TEXT NOT NULL,
    description TEXT,
    published BOOLEAN NOT NULL,
    primary_color TEXT NOT NULL,
    background_color TEXT NOT NULL,
    text_color TEXT NOT NULL,
    logo_url TEXT,
    custom_domain TEXT,
    -- Since when the TXT record has been verified; a changed domain must be verified again.
    custom_domain_verified_at TIMESTAMPTZ(3),
    -- The required value of the TXT record; never changes for a page.
    domain_token TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,
    -- Since when the domain waits to be verified: since it was set or lost.
    domain_pending_since TIMESTAMPTZ(3),
    domain_checked_at TIMESTAMPTZ(3),
    domain_next_check_at TIMESTAMPTZ(3),
    -- For a verified domain: since when its record has been missing.
    domain_missing_since TIMESTAMPTZ(3),
    domain_setback domain_setback,
    -- Why the last check did not find the record, for its owner.
    domain_error TEXT,
    show_response_times BOOLEAN NOT NULL DEFAULT false,
    -- How often the configuration changed, plus one; counted by a trigger.
    version INTEGER NOT NULL DEFAULT 1,
    -- How its rows are grouped, as in lib/schemas/status-pages/sections.ts; empty: a list of its monitors.
    sections JSONB NOT NULL DEFAULT '[]',
    -- How it looks besides its colors and logo, as in lib/schemas/status-pages/brand.ts; missing fields are at their defaults.
    brand JSONB NOT NULL DEFAULT '{}',
    visibility page_visibility NOT NULL DEFAULT 'public',
    -- argon2id
    password_hash TEXT,
    allowed_cidrs TEXT[] NOT NULL DEFAULT '{}',
    -- Part of every pass that visitors get: counted up when visibility or password change, which ends them.
    access_version INTEGER NOT NULL DEFAULT 1,
    -- After how many minutes it shows automatic incidents; 0: at once, null: only once a person publishes them.
    automatic_delay INTEGER DEFAULT 0,
    -- Since when it shows them at once; those that ended before count only if they are in incident_publication. null: always.
    automatic_since TIMESTAMPTZ(3),
    CONSTRAINT status_page_domain_lower CHECK (custom_domain = lower(custom_domain)),
    CONSTRAINT status_page_private_check CHECK (
        (visibility <> 'password' OR password_hash IS NOT NULL) AND (visibility <> 'ip' OR allowed_cidrs <> '{}')
    ),
    CONSTRAINT status_page_verified_has_domain CHECK (custom_domain_verified_at IS NULL OR custom_domain IS NOT NULL)
);
CREATE UNIQUE INDEX status_page_slug_key ON status_page (slug);
CREATE INDEX status_page_organization_id_created_at_idx ON status_page (organization_id, created_at);
-- Several organizations can request a domain; only the one that verifies it gets it.
CREATE UNIQUE INDEX status_page_verified_domain ON status_page (custom_domain) WHERE custom_domain_verified_at IS NOT NULL;
-- Domains whose TXT record is due to be looked up.
CREATE INDEX status_page_domain_due ON status_page (domain_next_check_at) WHERE domain_next_check_at IS NOT NULL;
CREATE INDEX status_page_delayed ON status_page (id) WHERE automatic_delay > 0;

-- Several triggers: a change that fires more than one counts once.
CREATE TRIGGER status_page_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN ((OLD.name, OLD.slug, OLD.description, OLD.published, OLD.primary_color, OLD.background_color, OLD.text_color, OLD.logo_url,
           OLD.show_response_times, OLD.custom_domain, OLD.sections) IS DISTINCT FROM
          (NEW.name, NEW.slug, NEW.description, NEW.published, NEW.primary_color, NEW.background_color, NEW.text_color, NEW.logo_url,
           NEW.show_response_times, NEW.custom_domain, NEW.sections))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER status_page_brand_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN (OLD.brand IS DISTINCT FROM NEW.brand)
    EXECUTE FUNCTION count_version();

CREATE TRIGGER status_page_access_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN ((OLD.visibility, OLD.password_hash, OLD.allowed_cidrs) IS DISTINCT FROM
          (NEW.visibility, NEW.password_hash, NEW.allowed_cidrs))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER status_page_publication_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN (OLD.automatic_delay IS DISTINCT FROM NEW.automatic_delay)
    EXECUTE FUNCTION count_version();

-- A monitor on a status page. Deleted monitors leave gaps between positions, which only define an order.
CREATE TABLE status_page_monitor (
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitor ON UPDATE CASCADE ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (page_id, monitor_id)
);
CREATE INDEX status_page_monitor_monitor_id_idx ON status_page_monitor (monitor_id);

-- Opens the feeds, JSON and badges of a private page to programs.
CREATE TABLE page_token (
    id TEXT PRIMARY KEY,
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- SHA-256 of the token; the token itself is shown once and not stored.
    hash BYTEA NOT NULL,
    -- The first characters, to distinguish tokens.
    hint TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    expires_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),
    revoked_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX page_token_hash_key ON page_token (hash);
CREATE INDEX page_token_page_id_created_at_idx ON page_token (page_id, created_at);

-- An automatic incident that a page shows although it does not show them at once.
CREATE TABLE incident_publication (
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    incident_id TEXT NOT NULL REFERENCES incident ON UPDATE CASCADE ON DELETE CASCADE,
    published_at TIMESTAMPTZ(3) NOT NULL,
    -- Was published, and hidden by people again.
    hidden BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (incident_id, page_id)
);
CREATE INDEX incident_publication_page_id_idx ON incident_publication (page_id);


-- ==== Subscribers ====

-- A subscriber who is emailed about events on a public page, once confirmed.
CREATE TABLE page_subscriber (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    email TEXT NOT NULL,
    language TEXT NOT NULL,
    -- SHA-256 of the token in the last confirmation email.
    token_hash BYTEA NOT NULL,
    -- When that email was queued, or the address was imported.
    requested_at TIMESTAMPTZ(3) NOT NULL,
    confirmed_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- The rows of the page that they chose, by the ID of the monitor or component; empty: all.
    row_ids TEXT[] NOT NULL DEFAULT '{}',
    -- Whether they chose rows: without any left on the page, they are emailed about all.
    chose_rows BOOLEAN NOT NULL DEFAULT false,
    -- Imported, and that email is still to be queued.
    awaits_email BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT page_subscriber_email_lower CHECK (email = lower(email)),
    CONSTRAINT page_subscriber_row_ids CHECK (cardinality(row_ids) <= 100 AND (chose_rows OR row_ids = '{}'))
);
CREATE UNIQUE INDEX page_subscriber_token_hash_key ON page_subscriber (token_hash);
CREATE UNIQUE INDEX page_subscriber_page_id_email_key ON page_subscriber (page_id, email);
CREATE INDEX page_subscriber_page_id_created_at_idx ON page_subscriber (page_id, created_at);
-- Recipients, in batches.
CREATE INDEX page_subscriber_confirmed ON page_subscriber (page_id, id) WHERE confirmed_at IS NOT NULL;
-- Those who have not confirmed, oldest first: they are deleted.
CREATE INDEX page_subscriber_unconfirmed ON page_subscriber (requested_at) WHERE confirmed_at IS NULL;
-- Imported addresses whose confirmation email is still to be queued, within a limit per hour.
CREATE INDEX page_subscriber_awaiting ON page_subscriber (page_id, number) WHERE awaits_email;

-- A subscriber of a page that is notified at a URL: a webhook or a Slack channel. Separate from those by email.
CREATE TABLE endpoint_subscriber (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    -- webhook or slack.
    channel TEXT NOT NULL,
    -- Who asked for it, confirmed it and is notified if it is stopped.
    email TEXT NOT NULL,
    language TEXT NOT NULL,
    -- Sealed, because the URL of a chat product is a secret.
    url_sealed BYTEA NOT NULL,
    url_hash BYTEA NOT NULL,
    host TEXT NOT NULL,
    -- Signing secrets of a webhook, once it is confirmed; as those of webhook_endpoint.
    secret_sealed BYTEA,
    next_secret_sealed BYTEA,
    rotation_ends_at TIMESTAMPTZ(3),
    -- As those of page_subscriber.
    row_ids TEXT[] NOT NULL DEFAULT '{}',
    chose_rows BOOLEAN NOT NULL DEFAULT false,
    token_hash BYTEA NOT NULL,
    requested_at TIMESTAMPTZ(3) NOT NULL,
    confirmed_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL,
    -- Since when all attempts have failed; null after a success.
    failing_since TIMESTAMPTZ(3),
    -- Deliveries that finally failed since then.
    failed_deliveries INTEGER NOT NULL DEFAULT 0,
    -- When it was stopped for failing too long; null once its owner has started it again.
    stopped_at TIMESTAMPTZ(3),
    CONSTRAINT endpoint_subscriber_channel CHECK (channel IN ('webhook', 'slack')),
    CONSTRAINT endpoint_subscriber_row_ids CHECK (cardinality(row_ids) <= 100 AND (chose_rows OR row_ids = '{}'))
);
CREATE UNIQUE INDEX endpoint_subscriber_token_hash_key ON endpoint_subscriber (token_hash);
CREATE UNIQUE INDEX endpoint_subscriber_page_id_email_url_hash_key ON endpoint_subscriber (page_id, email, url_hash);
CREATE INDEX endpoint_subscriber_page_id_created_at_idx ON endpoint_subscriber (page_id, created_at);
CREATE INDEX endpoint_subscriber_unconfirmed ON endpoint_subscriber (requested_at) WHERE confirmed_at IS NULL;

-- An event that is still to be sent to the endpoint of a subscriber.
CREATE TABLE subscriber_delivery (
    id TEXT PRIMARY KEY,
    number BIGSERIAL NOT NULL,
    subscriber_id TEXT NOT NULL REFERENCES endpoint_subscriber ON UPDATE CASCADE ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- The exact body of every attempt.
    payload TEXT NOT NULL,
    occurred_at TIMESTAMPTZ(3) NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- Failed attempts: the position in the retry schedule. An attempt interrupted by a crash does not count.
    failures INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ(3) NOT NULL,
    claimed_by TEXT,
    lease_until TIMESTAMPTZ(3),
    -- The incident or window; null for a private page.
    subject_id TEXT
);
CREATE INDEX subscriber_delivery_subscriber_id_next_attempt_at_idx ON subscriber_delivery (subscriber_id, next_attempt_at);
CREATE INDEX subscriber_delivery_next_attempt_at_idx ON subscriber_delivery (next_attempt_at);

-- A confirmation email of the last hour, for the limit per page; the next request deletes older ones.
CREATE TABLE subscription_request (
    id BIGSERIAL PRIMARY KEY,
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    requested_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX subscription_request_page_id_requested_at_idx ON subscription_request (page_id, requested_at);

-- An event to email to the subscribers of a page.
CREATE TABLE page_notice (
    id BIGSERIAL PRIMARY KEY,
    page_id TEXT NOT NULL REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    -- incident.created, .updated, .resolved; maintenance.planned, .moved, .cancelled, .started, .finished.
    kind TEXT NOT NULL,
    -- The incident or window; no foreign key, because it may be deleted once it is over.
    subject_id TEXT NOT NULL,
    title TEXT NOT NULL,
    -- For an incident, after the change.
    status TEXT,
    message TEXT NOT NULL,
    -- Names of the affected monitors on the page, in its order.
    monitors TEXT[],
    -- For maintenance.
    starts_at TIMESTAMPTZ(3),
    ends_at TIMESTAMPTZ(3),
    occurred_at TIMESTAMPTZ(3) NOT NULL,
    mailed_at TIMESTAMPTZ(3),
    -- IDs of the affected monitors and components on the page; empty: for all subscribers.
    row_ids TEXT[] NOT NULL DEFAULT '{}',
    -- `{"de": {"title", "message"}}`
    translations JSONB NOT NULL DEFAULT '{}',
    -- Whether it is about an automatic incident, whose texts the service translates.
    is_automatic BOOLEAN NOT NULL DEFAULT false
);
CREATE INDEX page_notice_page_id_idx ON page_notice (page_id);
CREATE INDEX page_notice_occurred_at_idx ON page_notice (occurred_at);
CREATE INDEX page_notice_waiting ON page_notice (occurred_at) WHERE mailed_at IS NULL;


-- ==== Email ====

-- An email for one recipient, written in the transaction of its cause.
CREATE TABLE mail (
    id TEXT PRIMARY KEY,
    organization_id TEXT REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    -- Encrypted JSON, bound to the ID of the row: it can contain a link with a token. Null once sent or failed.
    content_sealed BYTEA,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- Failed attempts: the position in the retry schedule. An attempt interrupted by a crash does not count.
    failures INTEGER NOT NULL DEFAULT 0,
    -- Null once sent or failed.
    next_attempt_at TIMESTAMPTZ(3),
    claimed_by TEXT,
    lease_until TIMESTAMPTZ(3),
    error TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL,
    sent_at TIMESTAMPTZ(3),
    failed_at TIMESTAMPTZ(3),
    -- Lower values are sent first: 0 if a user is waiting, 1 for bulk email.
    priority SMALLINT NOT NULL DEFAULT 0,
    -- The thread it belongs to, which changes its subject; null: none, or it was sent or failed.
    thread JSONB,
    CONSTRAINT mail_waiting_has_content CHECK ((next_attempt_at IS NULL) = (content_sealed IS NULL)),
    CONSTRAINT mail_waits_or_is_over CHECK ((next_attempt_at IS NULL)::int = num_nonnulls(sent_at, failed_at))
);
CREATE INDEX mail_organization_id_idx ON mail (organization_id);
CREATE INDEX mail_created_at_idx ON mail (created_at);
-- Pending emails, for the workers.
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
-- Email that a user waits for comes before bulk email.
CREATE INDEX mail_claim ON mail (priority, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
-- How many confirmations of imports an organization has sent, and how many an address has received from it.
CREATE INDEX mail_import_confirmation ON mail (organization_id, created_at) WHERE kind = 'import-confirmation';
CREATE INDEX mail_import_recipient ON mail (recipient, organization_id) WHERE kind = 'import-confirmation';
-- The latest emails to members, among those to subscribers.
CREATE INDEX mail_to_members ON mail (organization_id, created_at) WHERE kind IN ('alert', 'test');

-- An event to email to the members of an organization, grouped with others of the same time.
CREATE TABLE member_notice (
    id BIGSERIAL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization ON UPDATE CASCADE ON DELETE CASCADE,
    -- monitor.down, monitor.up, monitor.flapping, monitor.steady, region.silent, region.back, probe.silent, probe.back or webhook.disabled;
    -- incident.reminder, written when it is mailed.
    kind TEXT NOT NULL,
    -- The monitor, region or webhook endpoint, and its name at the time; no foreign key, because the notice outlives it.
    subject_id TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    incident_id TEXT,
    -- For monitor.down: the reason. For region.silent: the consequence for monitors.
    error TEXT,
    -- For monitor.up: how many seconds it was down. For region.back: how many seconds without data.
    downtime INTEGER,
    occurred_at TIMESTAMPTZ(3) NOT NULL,
    mailed_at TIMESTAMPTZ(3),
    -- The thread in which members are emailed about the incident, and its subject; null before, and for what is not about an incident.
    thread_id TEXT,
    thread_subject TEXT,
    -- The users who were emailed; null if no member had rules: everyone who wanted alerts.
    recipients TEXT[],
    -- For monitor.flapping, and monitor.steady or monitor.down after it: what happened, as lib/state/announcements/flapping-note.ts.
    flapping JSONB
);
CREATE INDEX member_notice_organization_id_idx ON member_notice (organization_id);
CREATE INDEX member_notice_occurred_at_idx ON member_notice (occurred_at);
CREATE INDEX member_notice_waiting ON member_notice (occurred_at) WHERE mailed_at IS NULL;
CREATE INDEX member_notice_incident ON member_notice (incident_id) WHERE incident_id IS NOT NULL;
CREATE INDEX member_notice_mailed ON member_notice (organization_id, mailed_at) WHERE mailed_at IS NOT NULL AND kind <> 'incident.reminder';

-- The weekly digest of a member, who chose it once.
CREATE TABLE digest_mail (
    organization_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    -- When the next one is due: Monday morning, or later after a failure. Null: it is off.
    next_at TIMESTAMPTZ(3),
    -- The Monday on which the last one was sent. It only grows, so no week has two, whatever its reader changes.
    last_week DATE,
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES membership ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX digest_mail_next_at_idx ON digest_mail (next_at);

-- A report that a member receives by email after each month.
CREATE TABLE report_mail (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    -- The uptime to compare with, in thousandths of a percent.
    target INTEGER NOT NULL,
    tag TEXT,
    status_page_id TEXT REFERENCES status_page ON UPDATE CASCADE ON DELETE CASCADE,
    -- When the next one is due: the morning after the month, or later after a failure.
    next_at TIMESTAMPTZ(3) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    FOREIGN KEY (organization_id, user_id) REFERENCES membership ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX report_mail_organization_id_user_id_idx ON report_mail (organization_id, user_id);
CREATE INDEX report_mail_status_page_id_idx ON report_mail (status_page_id);
CREATE INDEX report_mail_next_at_idx ON report_mail (next_at);
