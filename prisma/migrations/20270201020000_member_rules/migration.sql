-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Which alerts a member is emailed, and to whom a notice was emailed: see docs/decisions/0057.
ALTER TABLE "membership" ADD COLUMN "alert_rules" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "member_notice" ADD COLUMN "recipients" TEXT[];
