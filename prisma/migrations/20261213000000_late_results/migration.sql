-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- True for a result that a probe measured while it could not reach the service, or delivered after another had taken over its shard: history
-- that decides nothing. Null for all others, so the column takes no space in them and no table is rewritten.
ALTER TABLE "raw"."check_result" ADD COLUMN "late" BOOLEAN;
