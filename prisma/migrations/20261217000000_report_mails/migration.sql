-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Reports by email: an older process sends none, and they stay due.
CREATE TABLE "report_mail" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "target" INTEGER NOT NULL,
    "tag" TEXT,
    "status_page_id" TEXT,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_mail_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "report_mail_organization_id_user_id_idx" ON "report_mail"("organization_id", "user_id");
CREATE INDEX "report_mail_status_page_id_idx" ON "report_mail"("status_page_id");
CREATE INDEX "report_mail_next_at_idx" ON "report_mail"("next_at");
ALTER TABLE "report_mail" ADD CONSTRAINT "report_mail_organization_id_user_id_fkey"
    FOREIGN KEY ("organization_id", "user_id") REFERENCES "membership"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "report_mail" ADD CONSTRAINT "report_mail_status_page_id_fkey"
    FOREIGN KEY ("status_page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
