-- E-mail on its way: written in the transaction of what caused it, sent by a worker.
CREATE TABLE "mail" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "content_sealed" BYTEA,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "mail_organization_id_idx" ON "mail"("organization_id");
CREATE INDEX "mail_created_at_idx" ON "mail"("created_at");
ALTER TABLE "mail" ADD CONSTRAINT "mail_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- What is over keeps no content: it held links with tokens.
ALTER TABLE "mail" ADD CONSTRAINT "mail_waiting_has_content" CHECK (("next_attempt_at" IS NULL) = ("content_sealed" IS NULL));
ALTER TABLE "mail" ADD CONSTRAINT "mail_waits_or_is_over" CHECK (("next_attempt_at" IS NULL)::int = num_nonnulls("sent_at", "failed_at"));
-- What the drain reads: only what still waits.
CREATE INDEX "mail_due" ON "mail" ("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- Members can switch alerts off, each for one organization.
ALTER TABLE "membership" ADD COLUMN "alert_mail" BOOLEAN NOT NULL DEFAULT true;

-- What members are to be told of by e-mail, until one mail tells them all that happened within a minute.
CREATE TABLE "member_notice" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_name" TEXT NOT NULL,
    "incident_id" TEXT,
    "error" TEXT,
    "downtime" INTEGER,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_notice_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "member_notice_organization_id_idx" ON "member_notice"("organization_id");
CREATE INDEX "member_notice_occurred_at_idx" ON "member_notice"("occurred_at");
ALTER TABLE "member_notice" ADD CONSTRAINT "member_notice_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "member_notice_waiting" ON "member_notice" ("occurred_at") WHERE "mailed_at" IS NULL;
