-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Where a worker runs: the name of its host, and what identifies the machine below it, as containers have names of their own. Null of
-- workers of older versions.
ALTER TABLE "worker" ADD COLUMN "host" TEXT, ADD COLUMN "machine" TEXT;
