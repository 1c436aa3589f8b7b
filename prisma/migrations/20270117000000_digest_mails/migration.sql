-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The weekly digest by email, which members choose: an older process sends none.
CREATE TABLE "digest_mail" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "last_week" DATE,

    CONSTRAINT "digest_mail_pkey" PRIMARY KEY ("organization_id", "user_id")
);
CREATE INDEX "digest_mail_next_at_idx" ON "digest_mail"("next_at");
ALTER TABLE "digest_mail" ADD CONSTRAINT "digest_mail_organization_id_user_id_fkey"
    FOREIGN KEY ("organization_id", "user_id") REFERENCES "membership"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
