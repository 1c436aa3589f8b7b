-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Pages of monitors are ordered by creation time, then ID: many are created in one moment.
CREATE INDEX "monitor_organization_id_created_at_id_idx" ON "monitor"("organization_id", "created_at", "id");
DROP INDEX "monitor_organization_id_created_at_idx";
