-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What responses must be like, and what is sent before a banner is read.
ALTER TABLE "monitor" ADD COLUMN "assertions" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "monitor" ADD COLUMN "send_sealed" BYTEA;
