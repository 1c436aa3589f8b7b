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
