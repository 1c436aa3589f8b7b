-- Who is told by e-mail of what happens on a public status page. Unconfirmed ones go after 7 days.
CREATE TABLE "page_subscriber" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_subscriber_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "page_subscriber_email_lower" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "page_subscriber_token_hash_key" ON "page_subscriber"("token_hash");
CREATE UNIQUE INDEX "page_subscriber_page_id_email_key" ON "page_subscriber"("page_id", "email");
CREATE INDEX "page_subscriber_page_id_created_at_idx" ON "page_subscriber"("page_id", "created_at");
ALTER TABLE "page_subscriber" ADD CONSTRAINT "page_subscriber_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Whom a mail goes to, in batches; and who has not confirmed, the oldest first.
CREATE INDEX "page_subscriber_confirmed" ON "page_subscriber" ("page_id", "id") WHERE "confirmed_at" IS NOT NULL;
CREATE INDEX "page_subscriber_unconfirmed" ON "page_subscriber" ("requested_at") WHERE "confirmed_at" IS NULL;

-- What subscribers are to be told of, until one mail tells them all that happened within a minute.
CREATE TABLE "page_notice" (
    "id" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT,
    "message" TEXT NOT NULL,
    "monitors" TEXT[],
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "page_notice_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "page_notice_page_id_idx" ON "page_notice"("page_id");
CREATE INDEX "page_notice_occurred_at_idx" ON "page_notice"("occurred_at");
ALTER TABLE "page_notice" ADD CONSTRAINT "page_notice_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "page_notice_waiting" ON "page_notice" ("occurred_at") WHERE "mailed_at" IS NULL;

-- Many subscribers do not keep a member from being told, or from a new password.
ALTER TABLE "mail" ADD COLUMN "priority" SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX "mail_claim" ON "mail" ("priority", "next_attempt_at", "id") WHERE "next_attempt_at" IS NOT NULL;

-- Whether it was told that an occurrence has begun. What goes on already is no news.
ALTER TABLE "maintenance_occurrence" ADD COLUMN "announced_at" TIMESTAMPTZ(3);
UPDATE "maintenance_occurrence" SET "announced_at" = "starts_at" WHERE "starts_at" <= now();
CREATE INDEX "maintenance_occurrence_unannounced" ON "maintenance_occurrence" ("starts_at") WHERE "ended_at" IS NULL AND "announced_at" IS NULL;
