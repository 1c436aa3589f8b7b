-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The thread in which members are emailed about an incident, and its subject. Null: not emailed yet, or by an older process.
ALTER TABLE "member_notice" ADD COLUMN "thread_id" TEXT, ADD COLUMN "thread_subject" TEXT;

-- The thread of an email until it is sent or has failed. An older process sends it as an email of its own.
ALTER TABLE "mail" ADD COLUMN "thread" JSONB;
