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
