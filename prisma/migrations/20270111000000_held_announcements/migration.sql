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
