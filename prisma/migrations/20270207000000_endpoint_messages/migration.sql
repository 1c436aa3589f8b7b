-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The messages of endpoints in products that can edit them: how the product identifies each, and which delivery it shows.
CREATE TABLE "endpoint_message" (
  "endpoint_id" TEXT NOT NULL,
  "message_key" TEXT NOT NULL,
  "remembered" JSONB,
  "shown_number" BIGINT,
  "notified_status" TEXT,
  "changed_at" TIMESTAMPTZ(3) NOT NULL,
  "lease_id" TEXT,
  "lease_until" TIMESTAMPTZ(3),

  CONSTRAINT "endpoint_message_pkey" PRIMARY KEY ("endpoint_id", "message_key")
);
CREATE INDEX "endpoint_message_changed_at_idx" ON "endpoint_message" ("changed_at");
ALTER TABLE "endpoint_message" ADD CONSTRAINT "endpoint_message_endpoint_id_fkey"
  FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The method of an attempt. Null: POST, also of older processes.
ALTER TABLE "delivery_attempt" ADD COLUMN "request_method" TEXT;
