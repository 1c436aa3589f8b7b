-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The incident or window that a delivery is about, so that nothing is sent about a deleted incident; null if an older process queued it.
ALTER TABLE "subscriber_delivery" ADD COLUMN "subject_id" TEXT;
