-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Seconds between the checks off the grid that confirm a first failure; null: none are made.
ALTER TABLE "monitor" ADD COLUMN "confirm_interval" INTEGER;
