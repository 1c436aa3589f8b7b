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
