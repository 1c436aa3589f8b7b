-- A rotation of the secret: both are valid until it ends; after that the next one is the secret.
ALTER TABLE "webhook_endpoint" ADD COLUMN "next_secret_sealed" BYTEA,
    ADD COLUMN "rotation_ends_at" TIMESTAMPTZ(3),
    -- How the receiver is doing: since when tries only fail, and how many deliveries failed for good since.
    ADD COLUMN "failing_since" TIMESTAMPTZ(3),
    ADD COLUMN "failed_deliveries" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "auto_disabled_at" TIMESTAMPTZ(3);
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_rotation_ends"
    CHECK (("next_secret_sealed" IS NULL) = ("rotation_ends_at" IS NULL));

-- Where a page of a list goes on among rows of the same millisecond.
ALTER TABLE "incident" ADD COLUMN "number" BIGSERIAL NOT NULL;
ALTER TABLE "delivery" ADD COLUMN "number" BIGSERIAL NOT NULL,
    -- A try outside of the schedule that still waits: a replay or a test. It says nothing about the status.
    ADD COLUMN "manual_attempt_at" TIMESTAMPTZ(3);
ALTER TABLE "delivery_attempt" ADD COLUMN "manual" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX "delivery_manual" ON "delivery" ("manual_attempt_at") WHERE "manual_attempt_at" IS NOT NULL;
-- What waits, by endpoint: a claim takes a few of each, however long the backlog of one is.
CREATE INDEX "delivery_waiting" ON "delivery" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending';
