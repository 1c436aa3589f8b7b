-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Subscribers of a page that are notified at a URL. Apart from those by email: an older worker would email them.
CREATE TABLE "endpoint_subscriber" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "url_sealed" BYTEA NOT NULL,
    "url_hash" BYTEA NOT NULL,
    "host" TEXT NOT NULL,
    "secret_sealed" BYTEA,
    "next_secret_sealed" BYTEA,
    "rotation_ends_at" TIMESTAMPTZ(3),
    "row_ids" TEXT[] NOT NULL DEFAULT '{}',
    "chose_rows" BOOLEAN NOT NULL DEFAULT false,
    "token_hash" BYTEA NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "failed_deliveries" INTEGER NOT NULL DEFAULT 0,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "endpoint_subscriber_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "endpoint_subscriber_channel" CHECK ("channel" IN ('webhook', 'slack')),
    CONSTRAINT "endpoint_subscriber_row_ids" CHECK (cardinality("row_ids") <= 100 AND ("chose_rows" OR "row_ids" = '{}'))
);
CREATE UNIQUE INDEX "endpoint_subscriber_token_hash_key" ON "endpoint_subscriber"("token_hash");
CREATE UNIQUE INDEX "endpoint_subscriber_page_id_email_url_hash_key" ON "endpoint_subscriber"("page_id", "email", "url_hash");
CREATE INDEX "endpoint_subscriber_page_id_created_at_idx" ON "endpoint_subscriber"("page_id", "created_at");
ALTER TABLE "endpoint_subscriber" ADD CONSTRAINT "endpoint_subscriber_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "endpoint_subscriber_unconfirmed" ON "endpoint_subscriber" ("requested_at") WHERE "confirmed_at" IS NULL;

-- What is still to be sent to them; what was delivered or given up is deleted.
CREATE TABLE "subscriber_delivery" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "subscriber_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "subscriber_delivery_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "subscriber_delivery_subscriber_id_next_attempt_at_idx" ON "subscriber_delivery"("subscriber_id", "next_attempt_at");
CREATE INDEX "subscriber_delivery_next_attempt_at_idx" ON "subscriber_delivery"("next_attempt_at");
ALTER TABLE "subscriber_delivery" ADD CONSTRAINT "subscriber_delivery_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "endpoint_subscriber"("id") ON DELETE CASCADE ON UPDATE CASCADE;
