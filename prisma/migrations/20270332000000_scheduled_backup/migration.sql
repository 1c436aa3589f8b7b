-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The single row with what became of scheduled backups, so that one worker makes each of them, and every process can tell whether
-- they succeed.
CREATE TABLE "scheduled_backup" (
    "id" INTEGER NOT NULL DEFAULT 1 CONSTRAINT "scheduled_backup_one_row" CHECK ("id" = 1),
    "watched_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    CONSTRAINT "scheduled_backup_pkey" PRIMARY KEY ("id")
);
