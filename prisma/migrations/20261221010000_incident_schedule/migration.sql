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
