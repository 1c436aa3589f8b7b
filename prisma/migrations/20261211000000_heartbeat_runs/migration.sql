-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Runs of jobs that overlap: an older process leaves them as they are.
ALTER TABLE "heartbeat" ADD COLUMN "runs" JSONB NOT NULL DEFAULT '[]';
