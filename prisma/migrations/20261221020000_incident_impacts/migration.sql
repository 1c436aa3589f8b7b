-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The severity of an incident for single rows, by the ID of the monitor or component. An older process shows its own severity on all of them.
ALTER TABLE "incident" ADD COLUMN "impacts" JSONB NOT NULL DEFAULT '{}';
