-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Which message of its endpoint a delivery belongs to. Null: to none, or written by an older process.
ALTER TABLE "delivery" ADD COLUMN "message_key" TEXT;

-- Finds what a message shows: most deliveries, which belong to none, are not in it.
CREATE INDEX "delivery_message" ON "delivery" ("endpoint_id", "message_key", "number") WHERE "message_key" IS NOT NULL;
