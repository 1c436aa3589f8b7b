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
