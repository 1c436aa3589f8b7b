-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Incidents about components of status pages. An older process shows such an incident without them.
ALTER TABLE "incident" ADD COLUMN "affected_components" TEXT[] NOT NULL DEFAULT '{}';
CREATE INDEX "incident_affected_components_idx" ON "incident" USING gin ("affected_components");
