-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What a delivery says about the incident of its message. Null: it is in no message, or written by an older process.
ALTER TABLE "delivery" ADD COLUMN "message_status" TEXT;
