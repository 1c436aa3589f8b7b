-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Who works on an incident, and since when.
ALTER TABLE "incident" ADD COLUMN "acknowledged_at" TIMESTAMPTZ(3), ADD COLUMN "acknowledged_by" TEXT;
