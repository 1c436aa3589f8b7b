-- What became of a custom domain: when its TXT record was looked for, and what follows from that.
CREATE TYPE "domain_setback" AS ENUM ('lost', 'taken');
ALTER TABLE "status_page"
    ADD COLUMN "domain_pending_since" TIMESTAMPTZ(3),
    ADD COLUMN "domain_checked_at" TIMESTAMPTZ(3),
    ADD COLUMN "domain_next_check_at" TIMESTAMPTZ(3),
    ADD COLUMN "domain_missing_since" TIMESTAMPTZ(3),
    ADD COLUMN "domain_setback" "domain_setback",
    ADD COLUMN "domain_error" TEXT;
UPDATE "status_page" SET "domain_pending_since" = "updated_at", "domain_next_check_at" = "updated_at" WHERE "custom_domain" IS NOT NULL;
-- The worker asks every minute which domains are due.
CREATE INDEX "status_page_domain_due" ON "status_page" ("domain_next_check_at") WHERE "domain_next_check_at" IS NOT NULL;
