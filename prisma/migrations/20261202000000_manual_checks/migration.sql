-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Checks that a person or a script requested, one row for each region, and their results. They are apart from raw.check_result, so that
-- nothing that decides, counts or averages what was measured on schedule can see them.
CREATE TABLE "manual_check" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    -- As in raw.check_result.
    "outcome" SMALLINT CHECK ("outcome" BETWEEN 0 AND 2),
    "findings" JSONB,

    CONSTRAINT "manual_check_pkey" PRIMARY KEY ("id", "region"),
    CONSTRAINT "manual_check_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- The last request of a monitor, and those that have expired.
CREATE INDEX "manual_check_monitor_id_requested_at_idx" ON "manual_check" ("monitor_id", "requested_at");
-- The results of a monitor, newest first.
CREATE INDEX "manual_check_monitor_id_checked_at_idx" ON "manual_check" ("monitor_id", "checked_at");
-- What somebody waits for.
CREATE INDEX "manual_check_pending" ON "manual_check" ("expires_at") WHERE "finished_at" IS NULL;
