-- Migration: 20261120000000_init
-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "plan" AS ENUM ('free', 'pro', 'enterprise');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'member', 'viewer');

-- CreateEnum
CREATE TYPE "key_scope" AS ENUM ('read', 'write');

-- CreateEnum
CREATE TYPE "monitor_type" AS ENUM ('http', 'tcp', 'ping', 'dns');

-- CreateEnum
CREATE TYPE "monitor_status" AS ENUM ('pending', 'operational', 'degraded', 'down');

-- CreateEnum
CREATE TYPE "period_state" AS ENUM ('pending', 'operational', 'degraded', 'down', 'paused', 'maintenance', 'unknown');

-- CreateEnum
CREATE TYPE "incident_status" AS ENUM ('investigating', 'identified', 'monitoring', 'resolved');

-- CreateEnum
CREATE TYPE "incident_severity" AS ENUM ('minor', 'major', 'critical');

-- CreateEnum
CREATE TYPE "webhook_status" AS ENUM ('active', 'failing', 'disabled');

-- CreateEnum
CREATE TYPE "webhook_format" AS ENUM ('standard', 'slack', 'discord', 'teams');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "instance" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "secret_key_check" TEXT NOT NULL,
    "set_up_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "plan" "plan" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "scope" "key_scope" NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "monitor" (
    "id" TEXT NOT NULL,
    "number" SERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "type" "monitor_type" NOT NULL,
    "method" TEXT NOT NULL,
    "interval" INTEGER NOT NULL,
    "timeout" INTEGER NOT NULL,
    "expected_status_code" INTEGER NOT NULL,
    "headers_sealed" BYTEA,
    "body_sealed" BYTEA,
    "regions" TEXT[],
    "alert_threshold" INTEGER NOT NULL,
    "recovery_threshold" INTEGER NOT NULL,
    "degraded_threshold" INTEGER NOT NULL,
    "follow_redirects" BOOLEAN NOT NULL,
    "keyword" TEXT,
    "tls_verify" BOOLEAN NOT NULL,
    "tls_expiry_days" INTEGER,
    "tags" TEXT[],
    "ref" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "config_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "monitor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "monitor_state" (
    "monitor_id" TEXT NOT NULL,
    "config_version" INTEGER NOT NULL,
    "status" "monitor_status" NOT NULL,
    "machine" JSONB NOT NULL,
    "last_checked_at" TIMESTAMPTZ(3),
    "last_response_time" INTEGER,
    "consecutive_failures" INTEGER NOT NULL,
    "status_before_maintenance" "monitor_status",

    CONSTRAINT "monitor_state_pkey" PRIMARY KEY ("monitor_id")
);

-- CreateTable
CREATE TABLE "probe_schedule" (
    "monitor_id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "phase" SMALLINT NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    "claim" UUID,
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "probe_schedule_pkey" PRIMARY KEY ("monitor_id","region")
);

-- CreateTable
CREATE TABLE "status_period" (
    "id" BIGSERIAL NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "state" "period_state" NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3),
    "decided_at" TIMESTAMPTZ(3) NOT NULL,
    "why" JSONB,

    CONSTRAINT "status_period_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incident" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" "incident_status" NOT NULL,
    "severity" "incident_severity" NOT NULL,
    "automatic" BOOLEAN NOT NULL,
    "monitor_id" TEXT,
    "affected_monitors" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incident_update" (
    "id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "status" "incident_status" NOT NULL,
    "message" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_update_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "events" TEXT[],
    "format" "webhook_format" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "status" "webhook_status" NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox_event" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "payload" TEXT NOT NULL,

    CONSTRAINT "outbox_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL,
    "reason" TEXT,
    "attempts" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "duration" INTEGER,
    "status_code" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker" (
    "id" TEXT NOT NULL,
    "regions" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "cut_off_at" TIMESTAMPTZ(3),

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_organization_id_idx" ON "api_key"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "monitor_number_key" ON "monitor"("number");

-- CreateIndex
CREATE INDEX "monitor_organization_id_created_at_idx" ON "monitor"("organization_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "monitor_organization_id_ref_key" ON "monitor"("organization_id", "ref");

-- CreateIndex
CREATE INDEX "probe_schedule_region_next_check_at_idx" ON "probe_schedule"("region", "next_check_at");

-- CreateIndex
CREATE INDEX "status_period_monitor_id_from_at_idx" ON "status_period"("monitor_id", "from_at");

-- CreateIndex
CREATE INDEX "incident_organization_id_created_at_idx" ON "incident"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "incident_update_incident_id_created_at_idx" ON "incident_update"("incident_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_endpoint_organization_id_idx" ON "webhook_endpoint"("organization_id");

-- CreateIndex
CREATE INDEX "outbox_event_organization_id_occurred_at_idx" ON "outbox_event"("organization_id", "occurred_at");

-- CreateIndex
CREATE INDEX "delivery_organization_id_created_at_idx" ON "delivery"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "delivery_endpoint_id_created_at_idx" ON "delivery"("endpoint_id", "created_at");

-- CreateIndex
CREATE INDEX "delivery_event_id_idx" ON "delivery"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_attempt_delivery_id_number_key" ON "delivery_attempt"("delivery_id", "number");

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "monitor" ADD CONSTRAINT "monitor_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "monitor_state" ADD CONSTRAINT "monitor_state_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "probe_schedule" ADD CONSTRAINT "probe_schedule_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "status_period" ADD CONSTRAINT "status_period_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident" ADD CONSTRAINT "incident_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident_update" ADD CONSTRAINT "incident_update_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox_event" ADD CONSTRAINT "outbox_event_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "outbox_event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot say.

ALTER TABLE "instance" ADD CONSTRAINT "instance_one_row" CHECK ("id" = 1);
ALTER TABLE "user" ADD CONSTRAINT "user_email_lower" CHECK ("email" = lower("email"));
ALTER TABLE "monitor" ADD CONSTRAINT "monitor_regions_not_empty" CHECK (cardinality("regions") > 0);
ALTER TABLE "probe_schedule" ADD CONSTRAINT "probe_schedule_slot_range" CHECK ("slot" BETWEEN 0 AND 255 AND "phase" BETWEEN 0 AND 9999);
ALTER TABLE "status_period" ADD CONSTRAINT "status_period_forward" CHECK ("to_at" IS NULL OR "to_at" >= "from_at");
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_pending_is_due" CHECK (("status" = 'pending') = ("next_attempt_at" IS NOT NULL));

-- Each monitor has one current period, and at most one open automatic incident.
CREATE UNIQUE INDEX "status_period_current" ON "status_period" ("monitor_id") WHERE "to_at" IS NULL;
CREATE UNIQUE INDEX "incident_open_automatic" ON "incident" ("monitor_id") WHERE "automatic" AND "resolved_at" IS NULL;
-- What the delivery drain reads: only what still waits.
CREATE INDEX "delivery_due" ON "delivery" ("next_attempt_at") WHERE "status" = 'pending';

-- Rows that every check updates in place: room on the page keeps the updates off the indexes.
ALTER TABLE "monitor_state" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "probe_schedule" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- The first place after a moment on a monitor's grid: multiples of its interval (seconds), shifted by its phase
-- (ten-thousandths of the interval). lib/monitors/schedule.ts computes the same, and a test compares them.
CREATE FUNCTION "grid_slot_after"("at" TIMESTAMPTZ, "span" INTEGER, "phase" SMALLINT) RETURNS TIMESTAMPTZ
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp((floor((extract(epoch FROM "at") * 1000 - shift) / ("span" * 1000)) * "span" * 1000 + shift + "span" * 1000) / 1000)
    FROM (SELECT floor("phase"::bigint * "span" * 1000 / 10000) AS shift) AS s
$$;

-- Raw results: one partition a day, dropped whole when they are too old. Columns are ordered widest first, so that no
-- bytes are lost to alignment; with all phases and its index a row takes less than 120.
CREATE SCHEMA "raw";
CREATE TABLE "raw"."check_result" (
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "monitor" INTEGER NOT NULL,
    "response_time" INTEGER,
    -- Milliseconds, at most 32767: two phases cannot both be longer, and "response_time" is exact.
    "dns" SMALLINT,
    "connect" SMALLINT,
    "tls" SMALLINT,
    "first_byte" SMALLINT,
    "transfer" SMALLINT,
    "region" SMALLINT NOT NULL,
    -- 0 ok, 1 failed, 2 unknown
    "outcome" SMALLINT NOT NULL CHECK ("outcome" BETWEEN 0 AND 2),
    "status_code" SMALLINT,
    "error_code" TEXT,
    "error" TEXT
) PARTITION BY RANGE ("checked_at");
CREATE INDEX "check_result_monitor" ON "raw"."check_result" ("monitor", "checked_at");

-- Migration: 20261121000000_rollups
-- Nothing here is visible to Prisma: partitions and what belongs to them live in the schema "raw".

-- Results arrive in the order of their time, so that a few bytes per megabyte are enough to find an hour of all
-- monitors. And the few results that are not good are found without reading the many that are.
CREATE INDEX "check_result_time" ON "raw"."check_result" USING brin ("checked_at") WITH (autosummarize = on);
CREATE INDEX "check_result_trouble" ON "raw"."check_result" ("monitor", "checked_at") WHERE "outcome" <> 0;

-- One hour of one monitor from one region. Partitions of a month, dropped whole when they are too old. No foreign key:
-- rolling up takes no lock on monitors, and what is left of a deleted one, which nobody can reach by its number, goes
-- with its partition, as its raw results do.
CREATE TABLE "raw"."rollup_hour" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    -- Milliseconds of all good checks together.
    "response_time_sum" BIGINT NOT NULL,
    "monitor" INTEGER NOT NULL,
    -- Checks that said something of the target, and how many of them failed; unknown ones are counted apart.
    "checks" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL,
    "region" SMALLINT NOT NULL,
    -- Response times of good checks: one entry a used bucket, as lib/monitors/latency-histogram.ts packs it.
    "latency" INTEGER[] NOT NULL,
    CONSTRAINT "rollup_hour_pkey" PRIMARY KEY ("monitor", "hour", "region")
) PARTITION BY RANGE ("hour");

-- One row: the hours before this moment are rolled up.
CREATE TABLE "raw"."rollup_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "rolled_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "rollup_progress_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "rollup_progress_one_row" CHECK ("id" = 1)
);

-- Migration: 20261121010000_dry_run
-- How a web process asks a worker in a region for one check: a row that lives for as long as the caller waits. Unlogged,
-- for nothing in it is worth keeping.
CREATE UNLOGGED TABLE "dry_run" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "target_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "result" JSONB,

    CONSTRAINT "dry_run_pkey" PRIMARY KEY ("id")
);

-- Migration: 20261121020000_status_pages
CREATE TABLE "status_page" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT,
    "published" BOOLEAN NOT NULL,
    "primary_color" TEXT NOT NULL,
    "background_color" TEXT NOT NULL,
    "text_color" TEXT NOT NULL,
    "logo_url" TEXT,
    "custom_domain" TEXT,
    "custom_domain_verified_at" TIMESTAMPTZ(3),
    "domain_token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_page_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "status_page_domain_lower" CHECK ("custom_domain" = lower("custom_domain")),
    CONSTRAINT "status_page_verified_has_domain" CHECK ("custom_domain_verified_at" IS NULL OR "custom_domain" IS NOT NULL)
);
CREATE UNIQUE INDEX "status_page_slug_key" ON "status_page"("slug");
CREATE INDEX "status_page_organization_id_created_at_idx" ON "status_page"("organization_id", "created_at");
-- Anybody may ask for a domain; whoever shows that it is theirs has it alone.
CREATE UNIQUE INDEX "status_page_verified_domain" ON "status_page" ("custom_domain") WHERE "custom_domain_verified_at" IS NOT NULL;
ALTER TABLE "status_page" ADD CONSTRAINT "status_page_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "status_page_monitor" (
    "page_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "status_page_monitor_pkey" PRIMARY KEY ("page_id","monitor_id")
);
CREATE INDEX "status_page_monitor_monitor_id_idx" ON "status_page_monitor"("monitor_id");
ALTER TABLE "status_page_monitor" ADD CONSTRAINT "status_page_monitor_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "status_page_monitor" ADD CONSTRAINT "status_page_monitor_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261121030000_webhook_rotation
-- A rotation of the secret: both are valid until it ends; after that the next one is the secret.
ALTER TABLE "webhook_endpoint" ADD COLUMN "next_secret_sealed" BYTEA,
    ADD COLUMN "rotation_ends_at" TIMESTAMPTZ(3),
    -- How the receiver is doing: since when tries only fail, and how many deliveries failed for good since.
    ADD COLUMN "failing_since" TIMESTAMPTZ(3),
    ADD COLUMN "failed_deliveries" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "auto_disabled_at" TIMESTAMPTZ(3);
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_rotation_ends"
    CHECK (("next_secret_sealed" IS NULL) = ("rotation_ends_at" IS NULL));

-- Where a page of a list goes on among rows of the same millisecond.
ALTER TABLE "incident" ADD COLUMN "number" BIGSERIAL NOT NULL;
ALTER TABLE "delivery" ADD COLUMN "number" BIGSERIAL NOT NULL,
    -- A try outside of the schedule that still waits: a replay or a test. It says nothing about the status.
    ADD COLUMN "manual_attempt_at" TIMESTAMPTZ(3);
ALTER TABLE "delivery_attempt" ADD COLUMN "manual" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX "delivery_manual" ON "delivery" ("manual_attempt_at") WHERE "manual_attempt_at" IS NOT NULL;
-- What waits, by endpoint: a claim takes a few of each, however long the backlog of one is.
CREATE INDEX "delivery_waiting" ON "delivery" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending';

-- Migration: 20261121040000_requests
-- Requests counted per organization (or visitor) and minute, over all web processes. Unlogged: a crash forgives.
CREATE UNLOGGED TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- The first answer to each Idempotency-Key, for a day.
CREATE TABLE "idempotent_answer" (
    "organization_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "answer_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("organization_id","operation","key")
);
CREATE INDEX "idempotent_answer_created_at_idx" ON "idempotent_answer"("created_at");
ALTER TABLE "idempotent_answer" ADD CONSTRAINT "idempotent_answer_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261122000000_mail
-- E-mail on its way: written in the transaction of what caused it, sent by a worker.
CREATE TABLE "mail" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "content_sealed" BYTEA,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "mail_organization_id_idx" ON "mail"("organization_id");
CREATE INDEX "mail_created_at_idx" ON "mail"("created_at");
ALTER TABLE "mail" ADD CONSTRAINT "mail_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- What is over keeps no content: it held links with tokens.
ALTER TABLE "mail" ADD CONSTRAINT "mail_waiting_has_content" CHECK (("next_attempt_at" IS NULL) = ("content_sealed" IS NULL));
ALTER TABLE "mail" ADD CONSTRAINT "mail_waits_or_is_over" CHECK (("next_attempt_at" IS NULL)::int = num_nonnulls("sent_at", "failed_at"));
-- What the drain reads: only what still waits.
CREATE INDEX "mail_due" ON "mail" ("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- Members can switch alerts off, each for one organization.
ALTER TABLE "membership" ADD COLUMN "alert_mail" BOOLEAN NOT NULL DEFAULT true;

-- What members are to be told of by e-mail, until one mail tells them all that happened within a minute.
CREATE TABLE "member_notice" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_name" TEXT NOT NULL,
    "incident_id" TEXT,
    "error" TEXT,
    "downtime" INTEGER,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_notice_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "member_notice_organization_id_idx" ON "member_notice"("organization_id");
CREATE INDEX "member_notice_occurred_at_idx" ON "member_notice"("occurred_at");
ALTER TABLE "member_notice" ADD CONSTRAINT "member_notice_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "member_notice_waiting" ON "member_notice" ("occurred_at") WHERE "mailed_at" IS NULL;

-- Migration: 20261122010000_webhook_formats
-- What is sent where it is not the event's payload itself: a chat product's message, rendered when the event was told.
ALTER TABLE "delivery" ADD COLUMN "body" TEXT;

-- What each try asked: the endpoint may have another address by the time somebody reads it.
ALTER TABLE "delivery_attempt" ADD COLUMN "url" TEXT;
ALTER TABLE "delivery_attempt" ADD COLUMN "request_headers" JSONB;

-- Migration: 20261122020000_maintenance
CREATE TABLE "maintenance_window" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "rrule" TEXT,
    "time_zone" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "maintenance_window_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "maintenance_window_ends_after_start" CHECK ("ends_at" > "starts_at")
);
CREATE INDEX "maintenance_window_organization_id_created_at_idx" ON "maintenance_window"("organization_id", "created_at");
ALTER TABLE "maintenance_window" ADD CONSTRAINT "maintenance_window_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "maintenance_window_monitor" (
    "window_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "maintenance_window_monitor_pkey" PRIMARY KEY ("window_id","monitor_id")
);
CREATE INDEX "maintenance_window_monitor_monitor_id_idx" ON "maintenance_window_monitor"("monitor_id");
ALTER TABLE "maintenance_window_monitor" ADD CONSTRAINT "maintenance_window_monitor_window_id_fkey" FOREIGN KEY ("window_id") REFERENCES "maintenance_window"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "maintenance_window_monitor" ADD CONSTRAINT "maintenance_window_monitor_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "maintenance_occurrence" (
    "window_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "maintenance_occurrence_pkey" PRIMARY KEY ("window_id","starts_at"),
    CONSTRAINT "maintenance_occurrence_not_before_start" CHECK ("ends_at" >= "starts_at")
);
ALTER TABLE "maintenance_occurrence" ADD CONSTRAINT "maintenance_occurrence_window_id_fkey" FOREIGN KEY ("window_id") REFERENCES "maintenance_window"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- The current or next one of a window: there is never more than one.
CREATE UNIQUE INDEX "maintenance_occurrence_open" ON "maintenance_occurrence" ("window_id") WHERE "ended_at" IS NULL;
-- What every worker asks every second: which have begun, which are over.
CREATE INDEX "maintenance_occurrence_due" ON "maintenance_occurrence" ("starts_at", "ends_at") WHERE "ended_at" IS NULL;
CREATE INDEX "maintenance_occurrence_ended" ON "maintenance_occurrence" ("ended_at") WHERE "ended_at" IS NOT NULL;

CREATE INDEX "monitor_state_in_maintenance" ON "monitor_state" ("monitor_id") WHERE "status_before_maintenance" IS NOT NULL;

-- Migration: 20261122030000_domains
-- What became of a custom domain: when its TXT record was looked for, and what follows from that.
CREATE TYPE "domain_setback" AS ENUM ('lost', 'taken');
ALTER TABLE "status_page"
    ADD COLUMN "domain_pending_since" TIMESTAMPTZ(3),
    ADD COLUMN "domain_checked_at" TIMESTAMPTZ(3),
    ADD COLUMN "domain_next_check_at" TIMESTAMPTZ(3),
    ADD COLUMN "domain_missing_since" TIMESTAMPTZ(3),
    ADD COLUMN "domain_setback" "domain_setback",
    ADD COLUMN "domain_error" TEXT;
UPDATE "status_page" SET "domain_pending_since" = "updated_at", "domain_next_check_at" = "updated_at" WHERE "custom_domain" IS NOT NULL;
-- The worker asks every minute which domains are due.
CREATE INDEX "status_page_domain_due" ON "status_page" ("domain_next_check_at") WHERE "domain_next_check_at" IS NOT NULL;

-- Migration: 20261122040000_page_options
-- Whether visitors see how long the monitors of a page take to answer: the owner's choice.
ALTER TABLE "status_page" ADD COLUMN "show_response_times" BOOLEAN NOT NULL DEFAULT false;

-- Migration: 20261122050000_delivery_log
-- What people look for in the log: what failed, and what still waits. What was delivered costs nothing here.
CREATE INDEX "delivery_undelivered" ON "delivery" ("organization_id", "status", "created_at", "number")
    WHERE "status" <> 'delivered';

-- Migration: 20261122060000_audit
-- Who did what in an organization. No foreign key to the actor: the log outlives people and keys.
CREATE TYPE "actor_kind" AS ENUM ('user', 'key', 'operator');

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" TEXT,
    "actor_label" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_label" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "address" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_entry_organization_id_at_number_idx" ON "audit_entry"("organization_id", "at", "number");
CREATE INDEX "audit_entry_organization_id_subject_id_at_idx" ON "audit_entry"("organization_id", "subject_id", "at");
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261122070000_people
-- What a person is called on screens; the address stands in where it is empty.
ALTER TABLE "user" ADD COLUMN "name" TEXT;

-- Who is signed in where. The cookie only names a row here, so that ending a session counts at once.
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "organization_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "session_user_id_idx" ON "session"("user_id");
CREATE INDEX "session_organization_id_idx" ON "session"("organization_id");
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "session" ADD CONSTRAINT "session_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Links that open a door once. Only a SHA-256 of the token is kept.
CREATE TYPE "token_kind" AS ENUM ('password_reset', 'email_confirmation', 'invitation');
CREATE TABLE "one_time_token" (
    "id" TEXT NOT NULL,
    "kind" "token_kind" NOT NULL,
    "hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "user_id" TEXT,
    "organization_id" TEXT,
    "role" "role",
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "one_time_token_hash_key" ON "one_time_token"("hash");
CREATE INDEX "one_time_token_user_id_idx" ON "one_time_token"("user_id");
CREATE INDEX "one_time_token_organization_id_idx" ON "one_time_token"("organization_id");
CREATE INDEX "one_time_token_created_by_idx" ON "one_time_token"("created_by");
CREATE INDEX "one_time_token_expires_at_idx" ON "one_time_token"("expires_at");
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- One open link for one purpose: a new one takes the place of the older.
CREATE UNIQUE INDEX "one_time_token_open" ON "one_time_token" ("kind", "email", (COALESCE("organization_id", ''))) WHERE "used_at" IS NULL;
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_names_its_subject" CHECK (
    CASE "kind"
        WHEN 'password_reset' THEN "user_id" IS NOT NULL
        WHEN 'invitation' THEN "organization_id" IS NOT NULL AND "role" IS NOT NULL
        ELSE TRUE
    END
);

-- Migration: 20261122090000_subscribers
-- Who is told by e-mail of what happens on a public status page. Unconfirmed ones go after 7 days.
CREATE TABLE "page_subscriber" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_subscriber_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "page_subscriber_email_lower" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "page_subscriber_token_hash_key" ON "page_subscriber"("token_hash");
CREATE UNIQUE INDEX "page_subscriber_page_id_email_key" ON "page_subscriber"("page_id", "email");
CREATE INDEX "page_subscriber_page_id_created_at_idx" ON "page_subscriber"("page_id", "created_at");
ALTER TABLE "page_subscriber" ADD CONSTRAINT "page_subscriber_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Whom a mail goes to, in batches; and who has not confirmed, the oldest first.
CREATE INDEX "page_subscriber_confirmed" ON "page_subscriber" ("page_id", "id") WHERE "confirmed_at" IS NOT NULL;
CREATE INDEX "page_subscriber_unconfirmed" ON "page_subscriber" ("requested_at") WHERE "confirmed_at" IS NULL;

-- What subscribers are to be told of, until one mail tells them all that happened within a minute.
CREATE TABLE "page_notice" (
    "id" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT,
    "message" TEXT NOT NULL,
    "monitors" TEXT[],
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "page_notice_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "page_notice_page_id_idx" ON "page_notice"("page_id");
CREATE INDEX "page_notice_occurred_at_idx" ON "page_notice"("occurred_at");
ALTER TABLE "page_notice" ADD CONSTRAINT "page_notice_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "page_notice_waiting" ON "page_notice" ("occurred_at") WHERE "mailed_at" IS NULL;

-- Many subscribers do not keep a member from being told, or from a new password.
ALTER TABLE "mail" ADD COLUMN "priority" SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX "mail_claim" ON "mail" ("priority", "next_attempt_at", "id") WHERE "next_attempt_at" IS NOT NULL;

-- Whether it was told that an occurrence has begun. What goes on already is no news.
ALTER TABLE "maintenance_occurrence" ADD COLUMN "announced_at" TIMESTAMPTZ(3);
UPDATE "maintenance_occurrence" SET "announced_at" = "starts_at" WHERE "starts_at" <= now();
CREATE INDEX "maintenance_occurrence_unannounced" ON "maintenance_occurrence" ("starts_at") WHERE "ended_at" IS NULL AND "announced_at" IS NULL;

-- Migration: 20261123000000_strangers
-- While the secret key is rotated, values stand under two keys: a process needs every key that is named here.
ALTER TABLE "instance" RENAME COLUMN "secret_key_check" TO "secret_key_checks";
ALTER TABLE "instance" ALTER COLUMN "secret_key_checks" TYPE TEXT[] USING ARRAY["secret_key_checks"];

-- Migration: 20261123030000_monitor
-- The incidents of one monitor are found without reading those of the whole organization.
CREATE INDEX "incident_affected_monitors_idx" ON "incident" USING gin ("affected_monitors");

-- Migration: 20261123050000_postmortem
-- What went wrong and what was learned of it. The public reads it once it is published.
ALTER TABLE "incident" ADD COLUMN "postmortem" TEXT;
ALTER TABLE "incident" ADD COLUMN "postmortem_published_at" TIMESTAMPTZ(3);
ALTER TABLE "incident" ADD CONSTRAINT "incident_published_postmortem_is_there" CHECK ("postmortem_published_at" IS NULL OR "postmortem" IS NOT NULL);

-- Who wrote an update, as they were called then; null where the service did.
ALTER TABLE "incident_update" ADD COLUMN "author" TEXT;

-- The open ones stand first in the list, among any number that are resolved.
CREATE INDEX "incident_open" ON "incident" ("organization_id", "created_at", "number") WHERE "resolved_at" IS NULL;

-- Migration: 20261123070000_wakes
-- When Inngest woke each drain last, and since when a worker has to wake itself: what tells a silent Inngest from a quiet one.
CREATE TABLE "wake" (
    "drain" TEXT NOT NULL,
    "woken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wake_pkey" PRIMARY KEY ("drain")
);
ALTER TABLE "worker" ADD COLUMN "inngest_silent_since" TIMESTAMPTZ(3);

-- Migration: 20261124000000_region_presence
-- When a living worker last served each region. It outlives the workers' own rows, which go with them.
CREATE TABLE "region_presence" (
    "region" TEXT NOT NULL,
    "served_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "region_presence_pkey" PRIMARY KEY ("region")
);
INSERT INTO "region_presence" ("region", "served_at")
SELECT region, max(seen_at) FROM worker, unnest(regions) AS region GROUP BY region;

-- What a worker takes on: all, or checks alone (WORKER_DUTIES).
CREATE TYPE "worker_duties" AS ENUM ('all', 'probe');
ALTER TABLE "worker" ADD COLUMN "duties" "worker_duties" NOT NULL DEFAULT 'all';

-- Migration: 20261124010000_first_attempts
-- First attempts are found before retries, however many retries of the same endpoint are due.
DROP INDEX "delivery_waiting";
CREATE INDEX "delivery_waiting" ON "delivery" ("endpoint_id", ("failures" > 0), "next_attempt_at") WHERE "status" = 'pending';

-- Migration: 20261124020000_subscription_requests
-- The confirmation emails of the last hour, for the limit per page.
CREATE TABLE "subscription_request" (
    "id" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_request_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "subscription_request_page_id_requested_at_idx" ON "subscription_request"("page_id", "requested_at");
ALTER TABLE "subscription_request" ADD CONSTRAINT "subscription_request_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261124030000_answers_per_key
-- A rotated key counts as its predecessor.
ALTER TABLE "api_key" ADD COLUMN "lineage_id" TEXT;
UPDATE "api_key" SET "lineage_id" = "id";
ALTER TABLE "api_key" ALTER COLUMN "lineage_id" SET NOT NULL;

-- The answer to an Idempotency-Key belongs to the API key that sent it. Of those kept so far (for a day at most) nobody knows
-- which key that was.
DELETE FROM "idempotent_answer";
ALTER TABLE "idempotent_answer" DROP CONSTRAINT "idempotent_answer_pkey";
ALTER TABLE "idempotent_answer" ADD COLUMN "lineage_id" TEXT NOT NULL;
ALTER TABLE "idempotent_answer" ADD CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("organization_id", "lineage_id", "operation", "key");

-- Migration: 20261124030000_links_with_authority
-- Links carry the authority of who handed them out. Open reset links do not say for which organization they were made, or
-- whether a person or the operator made them: they end here, and people ask for new ones.
DELETE FROM "one_time_token" WHERE "kind" = 'password_reset' AND "used_at" IS NULL;
ALTER TABLE "one_time_token" ADD COLUMN "created_by_key" TEXT;

-- Migration: 20261124040000_health
-- When the oldest result or attempt finished that a worker has not stored yet; null: it has stored all of them.
ALTER TABLE "worker" ADD COLUMN "pending_since" TIMESTAMPTZ(3);

-- When a worker with these duties last lived. It outlives the workers' own rows, which go with them.
CREATE TABLE "duties_presence" (
    "duties" "worker_duties" NOT NULL,
    "served_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "duties_presence_pkey" PRIMARY KEY ("duties")
);
INSERT INTO "duties_presence" ("duties", "served_at")
SELECT duties, max(seen_at) FROM worker GROUP BY duties;

-- Migration: 20261124050000_region_outage
-- A region without a worker, once the members of an organization were notified of it; gone when its data is back.
CREATE TABLE "region_outage" (
    "organization_id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "region_outage_pkey" PRIMARY KEY ("organization_id", "region")
);
ALTER TABLE "region_outage" ADD CONSTRAINT "region_outage_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261124100000_incident_starts
-- When an incident began: the first check of the run that opened it, as the ledger has it. The default serves versions that
-- do not know the column and run on while this is applied.
ALTER TABLE "incident" ADD COLUMN "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

UPDATE "incident" SET "started_at" = coalesce(
  (SELECT min("from_at") FROM "status_period" AS period
    WHERE "incident"."automatic" AND period."monitor_id" = "incident"."monitor_id"
      AND period."decided_at" = "incident"."created_at" AND period."state" IN ('down', 'degraded')
      AND period."from_at" <= "incident"."created_at"),
  "created_at");

-- Migration: 20261124120000_max_redirects
-- Redirects that a check follows. The default is what every version before followed; PostgreSQL adds it without rewriting the
-- table, and it serves versions that do not know the column and run on while this is applied.
ALTER TABLE "monitor" ADD COLUMN "max_redirects" INTEGER NOT NULL DEFAULT 5;

-- Migration: 20261125000000_schema_compatibility
-- Serves: Pharos 0.1.0 (20261124030000_answers_per_key) and later
-- Of the migrations without such a line, two ended older versions: 20261123000000_strangers renamed a column of "instance", and
-- 20261124030000_answers_per_key added required columns to "api_key" and "idempotent_answer".

-- One row: the oldest version that may start with this database. bin/cli reads it before anything else.
CREATE TABLE "schema_compatibility" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "oldest_release" TEXT NOT NULL,
    "oldest_migration" TEXT NOT NULL,

    CONSTRAINT "schema_compatibility_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schema_compatibility_one_row" CHECK ("id" = 1)
);

-- Migration: 20261126000000_routine_results
-- Serves: Pharos 0.1.0 (20261126000000_routine_results) and later
-- Most results say what the one before said. They are recorded in the schedule alone: see lib/engine/checks/recording/record-routine.ts
-- and docs/decisions/0027. Workers of the versions before this one do not see such results. Those that run must end within three
-- intervals of a monitor, as in a rolling restart.
ALTER TABLE "probe_schedule"
    ADD COLUMN "last_checked_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_result_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_response_time" INTEGER,
    ADD COLUMN "certificate_expires_at" TIMESTAMPTZ(3),
    ADD COLUMN "is_contested" BOOLEAN NOT NULL DEFAULT true;

-- Whoever writes a state without the mark, in whatever version, makes the monitor contested: its next result is decided again.
CREATE FUNCTION follow_contested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    contested CONSTANT boolean := coalesce(NEW.machine->>'isContested' <> 'false', true);
BEGIN
    UPDATE probe_schedule SET is_contested = contested
     WHERE monitor_id = NEW.monitor_id AND is_contested <> contested;
    RETURN NULL;
END
$$;

CREATE TRIGGER monitor_state_contested AFTER UPDATE OF machine ON "monitor_state"
    FOR EACH ROW EXECUTE FUNCTION follow_contested();

-- Migration: 20261127000000_leased_shards
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Workers own parts of the schedule instead of claiming every check: see docs/decisions/0028. Workers of earlier versions find
-- no claims to make from here on, so none checks what a worker of this version owns.

-- The shards of a region: sixteen parts of its slots. A result is stored only under the epoch of its owner.
CREATE TABLE raw.shard_lease (
    region TEXT NOT NULL,
    shard SMALLINT NOT NULL CHECK (shard BETWEEN 0 AND 15),
    owner TEXT,
    epoch BIGINT NOT NULL DEFAULT 0,
    -- When it was released; null while it is owned, and before it ever was.
    released_at TIMESTAMPTZ(3),
    -- The last batches of results, so that one whose acknowledgement was lost is stored once.
    last_routine UUID,
    last_decided UUID,
    PRIMARY KEY (region, shard)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The workers that run the checks of a region. One that stops writing its row loses its shards.
CREATE TABLE raw.check_runner (
    region TEXT NOT NULL,
    worker_id TEXT NOT NULL,
    seen_at TIMESTAMPTZ(3) NOT NULL,
    -- The connection that wrote the row: if it is gone, so is its worker.
    backend INTEGER NOT NULL,
    -- Everything before this transaction is known to the worker.
    knows_before XID8 NOT NULL,
    -- When the oldest check became due that the worker has not started; null: none.
    due_since TIMESTAMPTZ(3),
    -- Whether it stops: it takes no more shards, and keeps its own until others have taken them, a few at a time.
    is_leaving BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (region, worker_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Which monitors the owners of shards must read again, by the transaction that changed them: a snapshot tells exactly which of
-- these a worker has not seen, in whatever order transactions commit.
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

-- Its argument is the column with the ID of the monitor.
CREATE FUNCTION note_monitor_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO raw.schedule_change (region, monitor_id)
    SELECT region, monitor_id FROM probe_schedule WHERE monitor_id = to_jsonb(NEW)->>TG_ARGV[0];
    RETURN NULL;
END
$$;

DROP TRIGGER monitor_state_contested ON "monitor_state";
DROP FUNCTION follow_contested();
DROP FUNCTION grid_slot_after;
DROP INDEX "probe_schedule_region_next_check_at_idx";
ALTER TABLE "probe_schedule"
    DROP COLUMN "claim", DROP COLUMN "claimed_by", DROP COLUMN "lease_until",
    DROP COLUMN "last_checked_at", DROP COLUMN "last_result_at", DROP COLUMN "last_response_time",
    DROP COLUMN "certificate_expires_at", DROP COLUMN "is_contested";
CREATE INDEX "probe_schedule_region_slot_idx" ON "probe_schedule" ("region", "slot");

CREATE TRIGGER probe_schedule_change AFTER INSERT OR DELETE OR UPDATE ON "probe_schedule"
    FOR EACH ROW EXECUTE FUNCTION note_schedule_change();
CREATE TRIGGER monitor_change AFTER UPDATE ON "monitor"
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION note_monitor_change('id');
-- Only a change of the mark: whether every result of the monitor is decided upon. A state without it is contested.
CREATE TRIGGER monitor_state_contested AFTER UPDATE OF machine ON "monitor_state"
    FOR EACH ROW WHEN ((OLD.machine->'isContested') IS DISTINCT FROM (NEW.machine->'isContested'))
    EXECUTE FUNCTION note_monitor_change('monitor_id');

-- Migration: 20261128000000_uptime_rollup
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Uptime without reading the whole ledger: see docs/decisions/0029. Kept by triggers, so that earlier versions keep it, too.
SET LOCAL timezone = 'UTC';

-- Known time and downtime of the monitor before the period, in milliseconds: the difference of two periods is the time between them.
ALTER TABLE "status_period" ADD COLUMN "known_before" BIGINT, ADD COLUMN "down_before" BIGINT;

-- Ended periods by UTC day: 31 days per row, with milliseconds and the worst status (0 unknown, 1 operational, 2 degraded, 3 down).
CREATE TABLE "uptime_month" (
    "monitor_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "known" INTEGER[] NOT NULL,
    "down" INTEGER[] NOT NULL,
    "worst" SMALLINT[] NOT NULL,

    CONSTRAINT "uptime_month_pkey" PRIMARY KEY ("monitor_id", "month")
);
ALTER TABLE "uptime_month" ADD CONSTRAINT "uptime_month_monitor_id_fkey"
    FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- 0 for states that do not count as known time.
CREATE FUNCTION status_rank(state period_state) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE state WHEN 'operational' THEN 1 WHEN 'degraded' THEN 2 WHEN 'down' THEN 3 ELSE 0 END::smallint
$$;

-- For writers that give no sums.
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

UPDATE "status_period" AS period SET known_before = before.known, down_before = before.down
  FROM (SELECT id, coalesce(sum(ms) FILTER (WHERE status_rank(state) > 0) OVER earlier, 0) AS known,
               coalesce(sum(ms) FILTER (WHERE state = 'down') OVER earlier, 0) AS down
          FROM (SELECT *, round(extract(epoch FROM to_at - from_at) * 1000) AS ms FROM "status_period") AS timed
        WINDOW earlier AS (PARTITION BY monitor_id ORDER BY from_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS before
 WHERE before.id = period.id;
ALTER TABLE "status_period" ADD CONSTRAINT "status_period_has_sums" CHECK (known_before IS NOT NULL AND down_before IS NOT NULL);
SELECT roll_up_periods(array_agg(id)) FROM "status_period" AS period WHERE to_at IS NOT NULL GROUP BY monitor_id;

CREATE TRIGGER status_period_sums BEFORE INSERT OR UPDATE ON "status_period"
    FOR EACH ROW WHEN (NEW.known_before IS NULL) EXECUTE FUNCTION continue_uptime();
CREATE TRIGGER status_period_inserted AFTER INSERT ON "status_period"
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION roll_up_inserted_periods();
CREATE TRIGGER status_period_updated AFTER UPDATE ON "status_period"
    REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION roll_up_updated_periods();

-- Migration: 20261128010000_monitor_order
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Pages of monitors are ordered by creation time, then ID: many are created in one moment.
CREATE INDEX "monitor_organization_id_created_at_id_idx" ON "monitor"("organization_id", "created_at", "id");
DROP INDEX "monitor_organization_id_created_at_idx";

-- Migration: 20261129000000_versions
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How often the configuration of a resource changed, for callers that must not overwrite the change of another. Counted by triggers, so
-- that no writer in any version can forget it.
ALTER TABLE "monitor" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "status_page" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "webhook_endpoint" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "incident" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "maintenance_window" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "api_key" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "membership" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;

CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;

-- A monitor's row is configuration only, new columns included.
CREATE TRIGGER monitor_version BEFORE UPDATE ON "monitor" FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,config_version,updated_at}'::text[] IS DISTINCT FROM
          to_jsonb(NEW) - '{version,config_version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

CREATE TRIGGER status_page_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN ((OLD.name, OLD.slug, OLD.description, OLD.published, OLD.primary_color, OLD.background_color, OLD.text_color, OLD.logo_url,
           OLD.show_response_times, OLD.custom_domain) IS DISTINCT FROM
          (NEW.name, NEW.slug, NEW.description, NEW.published, NEW.primary_color, NEW.background_color, NEW.text_color, NEW.logo_url,
           NEW.show_response_times, NEW.custom_domain))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled) IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled))
    EXECUTE FUNCTION count_version();

-- Everything an incident says counts, also what the engine writes: an update comes with a new `updated_at`.
CREATE TRIGGER incident_version BEFORE UPDATE ON "incident" FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION count_version();

CREATE TRIGGER maintenance_window_version BEFORE UPDATE ON "maintenance_window" FOR EACH ROW
    WHEN ((OLD.title, OLD.message, OLD.starts_at, OLD.ends_at, OLD.rrule, OLD.time_zone) IS DISTINCT FROM
          (NEW.title, NEW.message, NEW.starts_at, NEW.ends_at, NEW.rrule, NEW.time_zone))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER api_key_version BEFORE UPDATE ON "api_key" FOR EACH ROW
    WHEN ((OLD.name, OLD.scope, OLD.expires_at, OLD.revoked_at) IS DISTINCT FROM (NEW.name, NEW.scope, NEW.expires_at, NEW.revoked_at))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER membership_version BEFORE UPDATE ON "membership" FOR EACH ROW
    WHEN (OLD.role IS DISTINCT FROM NEW.role)
    EXECUTE FUNCTION count_version();

-- Colors are returned in lowercase.
UPDATE "status_page" SET "primary_color" = lower("primary_color"), "background_color" = lower("background_color"),
       "text_color" = lower("text_color")
 WHERE ("primary_color" || "background_color" || "text_color") ~ '[A-F]';

-- Migration: 20261129010000_monitor_count
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The number of monitors of an organization: a page of a list says how many there are without reading all. A table of its own, so that
-- deleting a monitor does not wait for those who hold the organization.
CREATE TABLE "monitor_count" (
    "organization_id" TEXT NOT NULL,
    "monitors" INTEGER NOT NULL,

    CONSTRAINT "monitor_count_pkey" PRIMARY KEY ("organization_id")
);
ALTER TABLE "monitor_count" ADD CONSTRAINT "monitor_count_organization_id_fkey" FOREIGN KEY ("organization_id")
    REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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

-- Nothing is created between the count and the triggers.
LOCK TABLE "monitor" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "monitor_count" SELECT "organization_id", count(*) FROM "monitor" GROUP BY 1;

CREATE TRIGGER monitor_created AFTER INSERT ON "monitor" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_created_monitors();
CREATE TRIGGER monitor_deleted AFTER DELETE ON "monitor" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_monitors();

-- Migration: 20261130000000_webhook_ref
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The caller's own ID of a webhook endpoint, as monitors have one. A change of it counts as a version.
ALTER TABLE "webhook_endpoint" ADD COLUMN "ref" TEXT;
CREATE UNIQUE INDEX "webhook_endpoint_organization_id_ref_key" ON "webhook_endpoint" ("organization_id", "ref");

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref) IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref))
    EXECUTE FUNCTION count_version();

-- Migration: 20261201000000_confirm_interval
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Seconds between the checks off the grid that confirm a first failure; null: none are made.
ALTER TABLE "monitor" ADD COLUMN "confirm_interval" INTEGER;

-- Migration: 20261202000000_manual_checks
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Checks that a person or a script requested, one row for each region, and their results. They are apart from raw.check_result, so that
-- nothing that decides, counts or averages what was measured on schedule can see them.
CREATE TABLE "manual_check" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    -- As in raw.check_result.
    "outcome" SMALLINT CHECK ("outcome" BETWEEN 0 AND 2),
    "findings" JSONB,

    CONSTRAINT "manual_check_pkey" PRIMARY KEY ("id", "region"),
    CONSTRAINT "manual_check_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- The last request of a monitor, and those that have expired.
CREATE INDEX "manual_check_monitor_id_requested_at_idx" ON "manual_check" ("monitor_id", "requested_at");
-- The results of a monitor, newest first.
CREATE INDEX "manual_check_monitor_id_checked_at_idx" ON "manual_check" ("monitor_id", "checked_at");
-- What somebody waits for.
CREATE INDEX "manual_check_pending" ON "manual_check" ("expires_at") WHERE "finished_at" IS NULL;

-- Migration: 20261202010000_worker_machines
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Where a worker runs: the name of its host, and what identifies the machine below it, as containers have names of their own. Null of
-- workers of older versions.
ALTER TABLE "worker" ADD COLUMN "host" TEXT, ADD COLUMN "machine" TEXT;

-- Migration: 20261203000000_assertions
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What responses must be like, and what is sent before a banner is read.
ALTER TABLE "monitor" ADD COLUMN "assertions" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "monitor" ADD COLUMN "send_sealed" BYTEA;

-- Migration: 20261204000000_check_evidence
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What checks saw: the first failure of each run and the first success after it, per region, and a good response a day.
CREATE TYPE "evidence_kind" AS ENUM ('failure', 'recovery', 'good');

CREATE TABLE "check_evidence" (
    "id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "region" SMALLINT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" "evidence_kind" NOT NULL,
    "content_sealed" BYTEA NOT NULL,

    CONSTRAINT "check_evidence_pkey" PRIMARY KEY ("id")
);
-- Compressed before it is encrypted.
ALTER TABLE "check_evidence" ALTER COLUMN "content_sealed" SET STORAGE EXTERNAL;

CREATE INDEX "check_evidence_monitor_id_checked_at_idx" ON "check_evidence" ("monitor_id", "checked_at");
-- Whether the last failure of a region was followed by a success: empty for monitors that never fail.
CREATE INDEX "check_evidence_runs" ON "check_evidence" ("monitor_id", "region", "checked_at") WHERE "kind" <> 'good';

ALTER TABLE "check_evidence" ADD CONSTRAINT "check_evidence_monitor_id_fkey"
    FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261205000000_heartbeats
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Monitors of jobs that call Pharos, instead of targets that it probes: see docs/decisions/0034.
ALTER TYPE "monitor_type" ADD VALUE 'heartbeat';

-- The token is the part of the URL that nobody else knows: sealed to be shown, and its SHA-256 to be found.
ALTER TABLE "monitor"
    ADD COLUMN "grace" INTEGER NOT NULL DEFAULT 3600,
    ADD COLUMN "period" INTEGER,
    ADD COLUMN "schedule" TEXT,
    ADD COLUMN "heartbeat_token_sealed" BYTEA,
    ADD COLUMN "heartbeat_token_hash" BYTEA;
CREATE UNIQUE INDEX "monitor_heartbeat_token_hash_key" ON "monitor" ("heartbeat_token_hash");

CREATE TABLE "heartbeat" (
    "monitor_id" TEXT NOT NULL,
    "called_at" TIMESTAMPTZ(3),
    "run_started_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),
    "counted_from" TIMESTAMPTZ(3),
    "late_since" TIMESTAMPTZ(3),
    CONSTRAINT "heartbeat_pkey" PRIMARY KEY ("monitor_id"),
    CONSTRAINT "heartbeat_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor" ("id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX "heartbeat_deadline_at_idx" ON "heartbeat" ("deadline_at");

-- Until when the service could receive calls, and the times in which it could not.
CREATE TABLE "reception" (
    "id" INTEGER NOT NULL DEFAULT 1 CONSTRAINT "reception_one_row" CHECK ("id" = 1),
    "received_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reception_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "reception_gap" (
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reception_gap_pkey" PRIMARY KEY ("to_at")
);

-- Migration: 20261206000000_markers
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Deploys and other changes that people mark, to see in charts what changed before an outage. No foreign keys to monitors: a marker is
-- history, and outlives them.
CREATE TABLE "marker" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "url" TEXT,
    "tags" TEXT[],
    "monitors" TEXT[],
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "marker_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "marker_organization_id_occurred_at_number_idx" ON "marker"("organization_id", "occurred_at", "number");
ALTER TABLE "marker" ADD CONSTRAINT "marker_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261206010000_acknowledged_incidents
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Who works on an incident, and since when.
ALTER TABLE "incident" ADD COLUMN "acknowledged_at" TIMESTAMPTZ(3), ADD COLUMN "acknowledged_by" TEXT;

-- Migration: 20261210000000_probe_tokens
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What probes in other networks authenticate with, each for one region: see docs/decisions/0039.
CREATE TABLE "probe_token" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "probe_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "probe_token_hash_key" ON "probe_token" ("hash");

-- Migration: 20261211000000_heartbeat_runs
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Runs of jobs that overlap: an older process leaves them as they are.
ALTER TABLE "heartbeat" ADD COLUMN "runs" JSONB NOT NULL DEFAULT '[]';

-- Migration: 20261212000000_own_regions
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Own regions of organizations: see docs/decisions/0040. A number identifies a region in stored results, and is never used again, not
-- even after a rollback. An older process does not know these regions: it neither checks monitors from there, nor shows their results.
CREATE SEQUENCE "region_number" AS SMALLINT MINVALUE 101 NO CYCLE;
CREATE TABLE "region" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    CONSTRAINT "region_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "region_organization_id_idx" ON "region" ("organization_id");
ALTER TABLE "region" ADD CONSTRAINT "region_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "region_name_key" ON "region" ("organization_id", lower("name")) WHERE "deleted_at" IS NULL;
CREATE TRIGGER region_version BEFORE UPDATE ON "region" FOR EACH ROW
    WHEN ((OLD.name, OLD.place) IS DISTINCT FROM (NEW.name, NEW.place))
    EXECUTE FUNCTION count_version();

-- Migration: 20261213000000_late_results
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- True for a result that a probe measured while it could not reach the service, or delivered after another had taken over its shard: history
-- that decides nothing. Null for all others, so the column takes no space in them and no table is rewritten.
ALTER TABLE "raw"."check_result" ADD COLUMN "late" BOOLEAN;

-- Migration: 20261214000000_probes
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The probes in other networks, with what they report of themselves. The row of a worker is deleted once it is missed for seconds; this one
-- shows for a day that a probe is silent.
CREATE TABLE "probe" (
    "id" TEXT NOT NULL,
    "token_id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "address" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "is_leaving" BOOLEAN NOT NULL DEFAULT false,
    "version" TEXT,
    "checks_per_second" DOUBLE PRECISION,
    "lateness_ms" INTEGER,
    "backlog" INTEGER,
    "silent_since" TIMESTAMPTZ(3),
    CONSTRAINT "probe_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "probe_token_id_idx" ON "probe"("token_id");
CREATE INDEX "probe_region_idx" ON "probe"("region");
ALTER TABLE "probe" ADD CONSTRAINT "probe_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "probe_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261216000000_status_page_sections
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How a page groups its rows; monitors of a page stay in status_page_monitor, which decides which of them there are.
ALTER TABLE "status_page" ADD COLUMN "sections" JSONB NOT NULL DEFAULT '[]';

DROP TRIGGER status_page_version ON "status_page";
CREATE TRIGGER status_page_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN ((OLD.name, OLD.slug, OLD.description, OLD.published, OLD.primary_color, OLD.background_color, OLD.text_color, OLD.logo_url,
           OLD.show_response_times, OLD.custom_domain, OLD.sections) IS DISTINCT FROM
          (NEW.name, NEW.slug, NEW.description, NEW.published, NEW.primary_color, NEW.background_color, NEW.text_color, NEW.logo_url,
           NEW.show_response_times, NEW.custom_domain, NEW.sections))
    EXECUTE FUNCTION count_version();

-- Migration: 20261216010000_components
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Incidents about components of status pages. An older process shows such an incident without them.
ALTER TABLE "incident" ADD COLUMN "affected_components" TEXT[] NOT NULL DEFAULT '{}';
CREATE INDEX "incident_affected_components_idx" ON "incident" USING gin ("affected_components");

-- Migration: 20261217000000_report_mails
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Reports by email: an older process sends none, and they stay due.
CREATE TABLE "report_mail" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "target" INTEGER NOT NULL,
    "tag" TEXT,
    "status_page_id" TEXT,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_mail_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "report_mail_organization_id_user_id_idx" ON "report_mail"("organization_id", "user_id");
CREATE INDEX "report_mail_status_page_id_idx" ON "report_mail"("status_page_id");
CREATE INDEX "report_mail_next_at_idx" ON "report_mail"("next_at");
ALTER TABLE "report_mail" ADD CONSTRAINT "report_mail_organization_id_user_id_fkey"
    FOREIGN KEY ("organization_id", "user_id") REFERENCES "membership"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "report_mail" ADD CONSTRAINT "report_mail_status_page_id_fkey"
    FOREIGN KEY ("status_page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261218000000_status_page_brand
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How a page looks besides its colors and logo; fields that it does not have are at their defaults. An older process keeps it as it is.
ALTER TABLE "status_page" ADD COLUMN "brand" JSONB NOT NULL DEFAULT '{}';

-- Besides status_page_version: both set the same number.
CREATE TRIGGER status_page_brand_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN (OLD.brand IS DISTINCT FROM NEW.brand)
    EXECUTE FUNCTION count_version();

-- Migration: 20261219000000_private_pages
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Who may see a published page. An older process knows only public ones, so pages must not become private before all are updated.
CREATE TYPE "page_visibility" AS ENUM ('public', 'password', 'ip', 'members');
ALTER TABLE "status_page" ADD COLUMN "visibility" "page_visibility" NOT NULL DEFAULT 'public',
    ADD COLUMN "password_hash" TEXT,
    ADD COLUMN "allowed_cidrs" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "access_version" INTEGER NOT NULL DEFAULT 1,
    ADD CONSTRAINT "status_page_private_check" CHECK (
        (visibility <> 'password' OR password_hash IS NOT NULL) AND (visibility <> 'ip' OR allowed_cidrs <> '{}'));

-- Apart from the trigger of the other columns: both result in the same version.
CREATE TRIGGER status_page_access_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN ((OLD.visibility, OLD.password_hash, OLD.allowed_cidrs) IS DISTINCT FROM
          (NEW.visibility, NEW.password_hash, NEW.allowed_cidrs))
    EXECUTE FUNCTION count_version();

CREATE TABLE "page_token" (
    "id" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "page_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "page_token_hash_key" ON "page_token"("hash");
CREATE INDEX "page_token_page_id_created_at_idx" ON "page_token"("page_id", "created_at");
ALTER TABLE "page_token" ADD CONSTRAINT "page_token_page_id_fkey"
    FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261220000000_publication
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- When a page shows automatic incidents: after these minutes, at once with 0, or only by hand without a number. An older process shows
-- them at once.
ALTER TABLE "status_page" ADD COLUMN "automatic_delay" INTEGER DEFAULT 0, ADD COLUMN "automatic_since" TIMESTAMPTZ(3);
CREATE INDEX "status_page_delayed" ON "status_page" ("id") WHERE "automatic_delay" > 0;

-- A trigger of its own: counting twice in one update is counting once.
CREATE TRIGGER status_page_publication_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN (OLD.automatic_delay IS DISTINCT FROM NEW.automatic_delay)
    EXECUTE FUNCTION count_version();

-- The automatic incidents that a page shows although it does not show them at once.
CREATE TABLE "incident_publication" (
    "page_id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_publication_pkey" PRIMARY KEY ("incident_id", "page_id")
);
CREATE INDEX "incident_publication_page_id_idx" ON "incident_publication"("page_id");
ALTER TABLE "incident_publication" ADD CONSTRAINT "incident_publication_page_id_fkey"
    FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "incident_publication" ADD CONSTRAINT "incident_publication_incident_id_fkey"
    FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261220010000_ledger_corrections
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What a person says that some time of a monitor counts as, over the ledger, which stays as it was measured. The times of a monitor do not
-- overlap: the verbs that write them hold the lock of its state. An older process ignores them.
CREATE TABLE "ledger_correction" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "window_id" TEXT,
    "state" "period_state" NOT NULL,
    "reason" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_correction_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "ledger_correction_time" CHECK ("from_at" < "to_at")
);
CREATE INDEX "ledger_correction_monitor_id_from_at_idx" ON "ledger_correction"("monitor_id", "from_at");
CREATE INDEX "ledger_correction_organization_id_to_at_idx" ON "ledger_correction"("organization_id", "to_at");
CREATE INDEX "ledger_correction_window_id_idx" ON "ledger_correction"("window_id");
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_monitor_id_fkey"
    FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_window_id_fkey"
    FOREIGN KEY ("window_id") REFERENCES "maintenance_window"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whether a monitor has any, where lists read it anyway: the others cost nothing more.
ALTER TABLE "monitor_state" ADD COLUMN "is_corrected" BOOLEAN NOT NULL DEFAULT false;

CREATE FUNCTION follow_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE monitor_state AS state
       SET is_corrected = EXISTS (SELECT FROM ledger_correction WHERE monitor_id = state.monitor_id)
     WHERE monitor_id IN (SELECT monitor_id FROM changed);
    RETURN NULL;
END
$$;
CREATE TRIGGER ledger_correction_inserted AFTER INSERT ON "ledger_correction" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_corrections();
CREATE TRIGGER ledger_correction_deleted AFTER DELETE ON "ledger_correction" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_corrections();

-- Migration: 20261221000000_incident_templates
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Texts and choices prepared for incidents. No foreign keys to monitors: a template keeps the IDs of deleted ones, as incidents do.
CREATE TABLE "incident_template" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "severity" "incident_severity" NOT NULL,
    "status" "incident_status" NOT NULL,
    "message" TEXT NOT NULL,
    "affected_monitors" TEXT[],
    "affected_components" TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_template_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "incident_template_organization_id_idx" ON "incident_template"("organization_id");
ALTER TABLE "incident_template" ADD CONSTRAINT "incident_template_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER incident_template_version BEFORE UPDATE ON "incident_template" FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

-- Migration: 20261221010000_incident_schedule
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Incidents that are resolved after a quiet time, and updates that are published later. An older worker does neither: both wait for one that does.
ALTER TABLE "incident" ADD COLUMN "resolve_after_minutes" INTEGER;

-- Apart from the incident, whose version counts every change of its row.
CREATE TABLE "incident_resolution" (
    "incident_id" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "check_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_resolution_pkey" PRIMARY KEY ("incident_id")
);
CREATE INDEX "incident_resolution_check_at_idx" ON "incident_resolution"("check_at");
ALTER TABLE "incident_resolution" ADD CONSTRAINT "incident_resolution_incident_id_fkey"
    FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "scheduled_update" (
    "id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "status" "incident_status",
    "resolve_after_minutes" INTEGER,
    "message" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "publish_at" TIMESTAMPTZ(3) NOT NULL,
    "dropped_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scheduled_update_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "scheduled_update_incident_id_idx" ON "scheduled_update"("incident_id");
CREATE INDEX "scheduled_update_due" ON "scheduled_update"("publish_at") WHERE "dropped_at" IS NULL;
ALTER TABLE "scheduled_update" ADD CONSTRAINT "scheduled_update_incident_id_fkey"
    FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261221020000_incident_impacts
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The severity of an incident for single rows, by the ID of the monitor or component. An older process shows its own severity on all of them.
ALTER TABLE "incident" ADD COLUMN "impacts" JSONB NOT NULL DEFAULT '{}';

-- Migration: 20261222000000_subscriber_rows
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The rows of the page that a subscriber chose, by the ID of the monitor or component; empty: all. An older process emails everyone.
ALTER TABLE "page_subscriber" ADD COLUMN "row_ids" TEXT[] NOT NULL DEFAULT '{}';
-- Whether they chose rows: without any left, they are emailed about all, and told so.
ALTER TABLE "page_subscriber" ADD COLUMN "chose_rows" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "page_subscriber" ADD CONSTRAINT "page_subscriber_row_ids" CHECK (cardinality("row_ids") <= 100 AND ("chose_rows" OR "row_ids" = '{}'));
-- The affected rows of the page; empty, as in notices of an older process: for all subscribers.
ALTER TABLE "page_notice" ADD COLUMN "row_ids" TEXT[] NOT NULL DEFAULT '{}';

-- Migration: 20261225000000_corrections_follow_locks
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Retention deletes corrections without the locks of their states: those are taken here, in the order of the engine, and only then is it known
-- which corrections are left.
CREATE OR REPLACE FUNCTION follow_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM monitor_state WHERE monitor_id IN (SELECT monitor_id FROM changed) ORDER BY monitor_id FOR UPDATE;
    UPDATE monitor_state AS state
       SET is_corrected = NOT is_corrected
     WHERE monitor_id IN (SELECT monitor_id FROM changed)
       AND is_corrected <> EXISTS (SELECT FROM ledger_correction WHERE monitor_id = state.monitor_id);
    RETURN NULL;
END
$$;

-- Migration: 20261226000000_hidden_publication
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- An incident that people hid on a page again is not published there by itself, and its subscribers are not notified again. An older
-- process shows it.
ALTER TABLE "incident_publication" ADD COLUMN "hidden" BOOLEAN NOT NULL DEFAULT false;

-- Migration: 20261227000000_subscriber_import
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- An imported address whose confirmation email is still to be queued, within a limit per hour. An older worker leaves it to a newer one.
ALTER TABLE "page_subscriber" ADD COLUMN "awaits_email" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "page_subscriber_awaiting" ON "page_subscriber" ("page_id", "number") WHERE "awaits_email";
-- The confirmation emails of imports: how many an organization has sent, and how many an address has received from it.
CREATE INDEX "mail_import_confirmation" ON "mail" ("organization_id", "created_at") WHERE "kind" = 'import-confirmation';
CREATE INDEX "mail_import_recipient" ON "mail" ("recipient", "organization_id") WHERE "kind" = 'import-confirmation';

-- Migration: 20261227010000_endpoint_subscribers
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Subscribers of a page that are notified at a URL. Apart from those by email: an older worker would email them.
CREATE TABLE "endpoint_subscriber" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "url_sealed" BYTEA NOT NULL,
    "url_hash" BYTEA NOT NULL,
    "host" TEXT NOT NULL,
    "secret_sealed" BYTEA,
    "next_secret_sealed" BYTEA,
    "rotation_ends_at" TIMESTAMPTZ(3),
    "row_ids" TEXT[] NOT NULL DEFAULT '{}',
    "chose_rows" BOOLEAN NOT NULL DEFAULT false,
    "token_hash" BYTEA NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "failed_deliveries" INTEGER NOT NULL DEFAULT 0,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "endpoint_subscriber_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "endpoint_subscriber_channel" CHECK ("channel" IN ('webhook', 'slack')),
    CONSTRAINT "endpoint_subscriber_row_ids" CHECK (cardinality("row_ids") <= 100 AND ("chose_rows" OR "row_ids" = '{}'))
);
CREATE UNIQUE INDEX "endpoint_subscriber_token_hash_key" ON "endpoint_subscriber"("token_hash");
CREATE UNIQUE INDEX "endpoint_subscriber_page_id_email_url_hash_key" ON "endpoint_subscriber"("page_id", "email", "url_hash");
CREATE INDEX "endpoint_subscriber_page_id_created_at_idx" ON "endpoint_subscriber"("page_id", "created_at");
ALTER TABLE "endpoint_subscriber" ADD CONSTRAINT "endpoint_subscriber_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "endpoint_subscriber_unconfirmed" ON "endpoint_subscriber" ("requested_at") WHERE "confirmed_at" IS NULL;

-- What is still to be sent to them; what was delivered or given up is deleted.
CREATE TABLE "subscriber_delivery" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "subscriber_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "subscriber_delivery_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "subscriber_delivery_subscriber_id_next_attempt_at_idx" ON "subscriber_delivery"("subscriber_id", "next_attempt_at");
CREATE INDEX "subscriber_delivery_next_attempt_at_idx" ON "subscriber_delivery"("next_attempt_at");
ALTER TABLE "subscriber_delivery" ADD CONSTRAINT "subscriber_delivery_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "endpoint_subscriber"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20261228000000_incident_translations
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The texts of incidents in other languages of status pages, by language code. An older process shows the texts as they were written.
ALTER TABLE "incident" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "incident_update" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "scheduled_update" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "incident_template" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "page_notice" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
-- Whether it is about an automatic incident, whose texts the service translates.
ALTER TABLE "page_notice" ADD COLUMN "is_automatic" BOOLEAN NOT NULL DEFAULT false;

-- Migration: 20261228010000_maintenance_translations
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The texts of a window in other languages of status pages. An older process shows the texts as they were written.
ALTER TABLE "maintenance_window" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';

-- All columns count, so that a new one cannot be forgotten.
DROP TRIGGER maintenance_window_version ON "maintenance_window";
CREATE TRIGGER maintenance_window_version BEFORE UPDATE ON "maintenance_window" FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

-- Migration: 20261229000000_delivery_subjects
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The incident or window that a delivery is about, so that nothing is sent about a deleted incident; null if an older process queued it.
ALTER TABLE "subscriber_delivery" ADD COLUMN "subject_id" TEXT;

-- Migration: 20261230100000_more_webhook_formats
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Mattermost, Google Chat and Alertmanager. An older process cannot read an endpoint with one of them until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'mattermost';
ALTER TYPE "webhook_format" ADD VALUE 'googlechat';
ALTER TYPE "webhook_format" ADD VALUE 'alertmanager';

-- Migration: 20261231000000_reminders
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How often members are reminded by email of a monitor that is down and whose incident nobody has acknowledged; null: never.
ALTER TABLE "organization" ADD COLUMN "reminder_minutes" INTEGER CHECK ("reminder_minutes" BETWEEN 5 AND 1440);
CREATE INDEX "organization_reminding" ON "organization" ("id") WHERE "reminder_minutes" IS NOT NULL;

-- Finds when members were last emailed about an incident, and how often.
CREATE INDEX "member_notice_incident" ON "member_notice" ("incident_id") WHERE "incident_id" IS NOT NULL;

-- Migration: 20270101000000_event_monitors
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The monitors that events are about, by which the deliveries of a monitor are found: see docs/decisions/0051. Events that an older process
-- writes during the upgrade have none.
CREATE TABLE "event_monitor" (
    "event_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_monitor_pkey" PRIMARY KEY ("event_id", "monitor_id")
);

-- The newest ones: older events of a large installation are not worth holding up the upgrade.
INSERT INTO "event_monitor" ("event_id", "monitor_id", "occurred_at")
SELECT DISTINCT "event"."id", "monitor_id", "occurred_at"
  FROM (SELECT "id", "kind", "occurred_at", "payload"::json AS "payload" FROM "outbox_event"
         ORDER BY "occurred_at" DESC LIMIT 100000) AS "event"
       CROSS JOIN LATERAL (
         SELECT "payload" -> 'monitor' ->> 'id' AS "monitor_id" WHERE "kind" LIKE 'monitor.%'
         UNION ALL
         SELECT json_array_elements_text("payload" -> 'incident' -> 'affectedMonitors') WHERE "kind" LIKE 'incident.%'
       ) AS "about"
 WHERE "monitor_id" IS NOT NULL;

CREATE INDEX "event_monitor_monitor_id_occurred_at_idx" ON "event_monitor"("monitor_id", "occurred_at");
ALTER TABLE "event_monitor" ADD CONSTRAINT "event_monitor_event_id_fkey"
    FOREIGN KEY ("event_id") REFERENCES "outbox_event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20270105000000_webhook_credentials
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- PagerDuty, and the credentials of an endpoint, which are part of its configuration. An older process cannot read an endpoint with this format
-- until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'pagerduty';
ALTER TABLE "webhook_endpoint" ADD COLUMN "credentials_sealed" BYTEA;

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed) IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed))
    EXECUTE FUNCTION count_version();

-- Migration: 20270106000000_push_formats
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Opsgenie, ntfy, Telegram and Pushover. An older process cannot read an endpoint with one of them until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'opsgenie';
ALTER TYPE "webhook_format" ADD VALUE 'ntfy';
ALTER TYPE "webhook_format" ADD VALUE 'telegram';
ALTER TYPE "webhook_format" ADD VALUE 'pushover';

-- Migration: 20270107000000_custom_webhooks
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Bodies from templates: what an endpoint has for them, and the format of a delivery whose body is rendered when it is first sent. An older
-- process cannot read an endpoint with this format until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'custom';
ALTER TABLE "webhook_endpoint" ADD COLUMN "headers_sealed" BYTEA, ADD COLUMN "template" TEXT;
ALTER TABLE "delivery" ADD COLUMN "format" TEXT;

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed, OLD.headers_sealed, OLD.template)
          IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed, NEW.headers_sealed, NEW.template))
    EXECUTE FUNCTION count_version();

-- Migration: 20270110000000_depends_on
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The monitors without which a monitor cannot work. While one of them is down, people are not notified of this one.
ALTER TABLE "monitor" ADD COLUMN "depends_on" TEXT[] NOT NULL DEFAULT '{}';
CREATE INDEX "monitor_depends_on" ON "monitor" USING GIN ("depends_on") WHERE "depends_on" <> '{}';

-- Migration: 20270111000000_held_announcements
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Changes of monitors with dependencies that people are not notified of, or not yet.
CREATE TABLE "held_announcement" (
  "id" BIGSERIAL NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "monitor_id" TEXT NOT NULL,
  "incident_id" TEXT,
  "status" "monitor_status" NOT NULL,
  "event_ids" TEXT[] NOT NULL,
  "notice" JSONB,
  "held_at" TIMESTAMPTZ(3) NOT NULL,
  "look_at" TIMESTAMPTZ(3),
  "caused_by_id" TEXT,
  "caused_by_name" TEXT,
  "ended_at" TIMESTAMPTZ(3)
);
CREATE INDEX "held_announcement_organization_id_idx" ON "held_announcement" ("organization_id");
CREATE INDEX "held_announcement_incident_id_idx" ON "held_announcement" ("incident_id");
CREATE INDEX "held_announcement_ended_at_idx" ON "held_announcement" ("ended_at");
CREATE INDEX "held_announcement_open" ON "held_announcement" ("monitor_id") WHERE "ended_at" IS NULL;
CREATE INDEX "held_announcement_due" ON "held_announcement" ("look_at") WHERE "ended_at" IS NULL AND "look_at" IS NOT NULL;
CREATE INDEX "held_announcement_suppressed" ON "held_announcement" ("caused_by_id") WHERE "ended_at" IS NULL AND "look_at" IS NULL;

-- Migration: 20270115000000_mail_threads
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The thread in which members are emailed about an incident, and its subject. Null: not emailed yet, or by an older process.
ALTER TABLE "member_notice" ADD COLUMN "thread_id" TEXT, ADD COLUMN "thread_subject" TEXT;

-- The thread of an email until it is sent or has failed. An older process sends it as an email of its own.
ALTER TABLE "mail" ADD COLUMN "thread" JSONB;

-- Migration: 20270116000000_member_mails
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Finds the latest emails to members of an organization among those to subscribers of its status pages.
CREATE INDEX "mail_to_members" ON "mail" ("organization_id", "created_at") WHERE "kind" IN ('alert', 'test');

-- Migration: 20270117000000_digest_mails
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The weekly digest by email, which members choose: an older process sends none.
CREATE TABLE "digest_mail" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "last_week" DATE,

    CONSTRAINT "digest_mail_pkey" PRIMARY KEY ("organization_id", "user_id")
);
CREATE INDEX "digest_mail_next_at_idx" ON "digest_mail"("next_at");
ALTER TABLE "digest_mail" ADD CONSTRAINT "digest_mail_organization_id_user_id_fkey"
    FOREIGN KEY ("organization_id", "user_id") REFERENCES "membership"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20270120000000_acknowledge_links
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Who used the link in an email that acknowledges an incident: it works once.
CREATE TABLE "acknowledge_link_use" (
    "incident_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "acknowledge_link_use_pkey" PRIMARY KEY ("incident_id", "user_id")
);
CREATE INDEX "acknowledge_link_use_user_id_idx" ON "acknowledge_link_use"("user_id");
ALTER TABLE "acknowledge_link_use" ADD CONSTRAINT "acknowledge_link_use_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "acknowledge_link_use" ADD CONSTRAINT "acknowledge_link_use_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20270201000000_event_incident
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The incident that an event is about, by which all events of one incident are found. Events that an older process writes during the
-- upgrade have none.
ALTER TABLE "outbox_event" ADD COLUMN "incident_id" TEXT;

-- The newest ones: older events of a large installation are not worth holding up the upgrade.
UPDATE "outbox_event" AS "event" SET "incident_id" = "about"."incident_id"
  FROM (SELECT "id", "payload"::json -> 'incident' ->> 'id' AS "incident_id" FROM "outbox_event"
         ORDER BY "occurred_at" DESC LIMIT 100000) AS "about"
 WHERE "about"."id" = "event"."id" AND "about"."incident_id" IS NOT NULL;

CREATE INDEX "outbox_event_incident_id_idx" ON "outbox_event"("incident_id");

-- Migration: 20270201010000_endpoint_rules
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Which events an endpoint is sent: see docs/decisions/0057. A process of an older version sends all of them until it is updated.
ALTER TABLE "webhook_endpoint" ADD COLUMN "rules" JSONB NOT NULL DEFAULT '[]';

DROP TRIGGER webhook_endpoint_version ON "webhook_endpoint";
CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled, OLD.ref, OLD.credentials_sealed, OLD.headers_sealed, OLD.template, OLD.rules)
          IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled, NEW.ref, NEW.credentials_sealed, NEW.headers_sealed, NEW.template, NEW.rules))
    EXECUTE FUNCTION count_version();

-- Migration: 20270201020000_member_rules
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Which alerts a member is emailed, and to whom a notice was emailed: see docs/decisions/0057.
ALTER TABLE "membership" ADD COLUMN "alert_rules" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "member_notice" ADD COLUMN "recipients" TEXT[];

-- Migration: 20270205000000_delivery_messages
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Which message of its endpoint a delivery belongs to. Null: to none, or written by an older process.
ALTER TABLE "delivery" ADD COLUMN "message_key" TEXT;

-- Finds what a message shows: most deliveries, which belong to none, are not in it.
CREATE INDEX "delivery_message" ON "delivery" ("endpoint_id", "message_key", "number") WHERE "message_key" IS NOT NULL;

-- Migration: 20270206000000_message_status
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What a delivery says about the incident of its message. Null: it is in no message, or written by an older process.
ALTER TABLE "delivery" ADD COLUMN "message_status" TEXT;

-- Migration: 20270207000000_endpoint_messages
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The messages of endpoints in products that can edit them: how the product identifies each, and which delivery it shows.
CREATE TABLE "endpoint_message" (
  "endpoint_id" TEXT NOT NULL,
  "message_key" TEXT NOT NULL,
  "remembered" JSONB,
  "shown_number" BIGINT,
  "notified_status" TEXT,
  "changed_at" TIMESTAMPTZ(3) NOT NULL,
  "lease_id" TEXT,
  "lease_until" TIMESTAMPTZ(3),

  CONSTRAINT "endpoint_message_pkey" PRIMARY KEY ("endpoint_id", "message_key")
);
CREATE INDEX "endpoint_message_changed_at_idx" ON "endpoint_message" ("changed_at");
ALTER TABLE "endpoint_message" ADD CONSTRAINT "endpoint_message_endpoint_id_fkey"
  FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The method of an attempt. Null: POST, also of older processes.
ALTER TABLE "delivery_attempt" ADD COLUMN "request_method" TEXT;

-- Migration: 20270211000000_first_mail_at_once
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- When members were last mailed: what follows within MAIL_GROUP_SECONDS is gathered. Reminders do not count.
CREATE INDEX "member_notice_mailed" ON "member_notice" ("organization_id", "mailed_at")
  WHERE "mailed_at" IS NOT NULL AND "kind" <> 'incident.reminder';

-- Migration: 20270212000000_stories
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Changes of one cause within a minute, which people read as one.
CREATE TABLE "story" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "causes" TEXT[] NOT NULL,
  "first_monitor_id" TEXT NOT NULL,
  "heard_by" TEXT[] NOT NULL,
  "rest_due_at" TIMESTAMPTZ(3),
  "rest_sent_at" TIMESTAMPTZ(3)
);
CREATE INDEX "story_organization_id_started_at_idx" ON "story" ("organization_id", "started_at");
CREATE INDEX "story_rest_due" ON "story" ("rest_due_at") WHERE "rest_due_at" IS NOT NULL;

CREATE TABLE "story_change" (
  "id" BIGSERIAL NOT NULL PRIMARY KEY,
  "story_id" TEXT NOT NULL REFERENCES "story" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "monitor_id" TEXT NOT NULL,
  "monitor_name" TEXT NOT NULL,
  "incident_id" TEXT,
  "status" "monitor_status" NOT NULL,
  "event_ids" TEXT[] NOT NULL
);
CREATE INDEX "story_change_story_id_monitor_id_idx" ON "story_change" ("story_id", "monitor_id");
CREATE INDEX "story_change_incident_id_idx" ON "story_change" ("incident_id");

-- Migration: 20270216000000_flapping
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- When monitors flapped, during which people are not notified of single changes.
CREATE TABLE "flapping" (
  "id" BIGSERIAL NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "monitor_id" TEXT NOT NULL,
  "monitor_name" TEXT NOT NULL,
  "status" "monitor_status" NOT NULL,
  "first_change_at" TIMESTAMPTZ(3) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "last_change_at" TIMESTAMPTZ(3) NOT NULL,
  "look_at" TIMESTAMPTZ(3),
  "interrupted_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "incident_id" TEXT,
  "last_incident_id" TEXT,
  "event_ids" TEXT[] NOT NULL,
  "end_event_id" TEXT,
  "error" TEXT
);
CREATE INDEX "flapping_organization_id_idx" ON "flapping" ("organization_id");
CREATE INDEX "flapping_monitor_id_idx" ON "flapping" ("monitor_id");
CREATE INDEX "flapping_ended_at_idx" ON "flapping" ("ended_at");
CREATE UNIQUE INDEX "flapping_open" ON "flapping" ("monitor_id") WHERE "ended_at" IS NULL;
CREATE INDEX "flapping_due" ON "flapping" ("look_at") WHERE "ended_at" IS NULL;
-- What was not announced of a monitor because of others does not count.
CREATE INDEX "held_announcement_monitor_id_held_at_idx" ON "held_announcement" ("monitor_id", "held_at");
-- What the email says about flapping; workers of older versions ignore it.
ALTER TABLE "member_notice" ADD COLUMN "flapping" JSONB;

-- Migration: 20270221000000_acknowledged_events
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Alerts of endpoints that get what was the default are acknowledged with their incidents from now on.
UPDATE "webhook_endpoint"
   SET "events" = ARRAY['incident.created', 'incident.updated', 'incident.acknowledged', 'incident.resolved']
 WHERE "format" IN ('pagerduty', 'opsgenie')
   AND "events" @> ARRAY['incident.created', 'incident.updated', 'incident.resolved']
   AND "events" <@ ARRAY['incident.created', 'incident.updated', 'incident.resolved'];

-- Migration: 20270221000100_message_links
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Messages about an open incident have a link that acknowledges it, unless their endpoint has it turned off. Each link works once.
ALTER TABLE "webhook_endpoint" ADD COLUMN "acknowledge_links" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "delivery" ADD COLUMN "link_used_at" TIMESTAMPTZ(3);
-- Who is known only as a reader of the messages of an endpoint.
ALTER TYPE "actor_kind" ADD VALUE 'endpoint';

-- Migration: 20270301000000_second_factor
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Sign-in in two steps: authenticator apps, recovery codes, and what a sign-in still lacks.
CREATE TYPE "sign_in_method" AS ENUM ('password', 'invitation', 'setup', 'provider', 'passkey');

ALTER TABLE "organization" ADD COLUMN "second_factor_from" TIMESTAMPTZ(3);
ALTER TABLE "session" ADD COLUMN "second_factor_at" TIMESTAMPTZ(3);

CREATE TABLE "totp_factor" (
    "user_id" TEXT NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "totp_factor_pkey" PRIMARY KEY ("user_id")
);
ALTER TABLE "totp_factor" ADD CONSTRAINT "totp_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "recovery_code" (
    "user_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id", "hash")
);
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "pending_sign_in" (
    "hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "method" "sign_in_method" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_sign_in_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "pending_sign_in_user_id_idx" ON "pending_sign_in"("user_id");
CREATE INDEX "pending_sign_in_expires_at_idx" ON "pending_sign_in"("expires_at");
ALTER TABLE "pending_sign_in" ADD CONSTRAINT "pending_sign_in_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20270305000000_identities
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Signing in with a provider: the accounts there that are linked to users, who need no password.
ALTER TABLE "user" ALTER COLUMN "password_hash" DROP NOT NULL;

CREATE TABLE "identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "identity_user_id_idx" ON "identity"("user_id");
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Migration: 20270310000000_passkeys
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Passkeys, and the challenges that they have signed: each works once.
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "is_synced" BOOLEAN NOT NULL,
    "is_backed_up" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");
CREATE INDEX "passkey_user_id_idx" ON "passkey"("user_id");
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "used_challenge" (
    "challenge" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_challenge_pkey" PRIMARY KEY ("challenge")
);
CREATE INDEX "used_challenge_expires_at_idx" ON "used_challenge"("expires_at");

-- Migration: 20270320000000_monitors_by_name
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Lists of monitors by name are read in pages without sorting all of them.
CREATE INDEX "monitor_by_name" ON "monitor" ("organization_id", lower("name") COLLATE "C", "id");

-- Migration: 20270332000000_scheduled_backup
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The single row with what became of scheduled backups, so that one worker makes each of them, and every process can tell whether
-- they succeed.
CREATE TABLE "scheduled_backup" (
    "id" INTEGER NOT NULL DEFAULT 1 CONSTRAINT "scheduled_backup_one_row" CHECK ("id" = 1),
    "watched_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    CONSTRAINT "scheduled_backup_pkey" PRIMARY KEY ("id")
);

-- Migration: 20270341000000_audit_request
-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The request of an entry, as the log names it; null for the command line, workers, and entries from before.
ALTER TABLE "audit_entry" ADD COLUMN "request_id" TEXT;
CREATE INDEX "audit_entry_organization_id_request_id_idx" ON "audit_entry" ("organization_id", "request_id");

