-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What checks saw: the first failure of each run and the first success after it, per region, and a good response a day.
CREATE TYPE "evidence_kind" AS ENUM ('failure', 'recovery', 'good');

CREATE TABLE "check_evidence" (
    "id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "region" SMALLINT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" "evidence_kind" NOT NULL,
    "content_sealed" BYTEA NOT NULL,

    CONSTRAINT "check_evidence_pkey" PRIMARY KEY ("id")
);
-- Compressed before it is encrypted.
ALTER TABLE "check_evidence" ALTER COLUMN "content_sealed" SET STORAGE EXTERNAL;

CREATE INDEX "check_evidence_monitor_id_checked_at_idx" ON "check_evidence" ("monitor_id", "checked_at");
-- Whether the last failure of a region was followed by a success: empty for monitors that never fail.
CREATE INDEX "check_evidence_runs" ON "check_evidence" ("monitor_id", "region", "checked_at") WHERE "kind" <> 'good';

ALTER TABLE "check_evidence" ADD CONSTRAINT "check_evidence_monitor_id_fkey"
    FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
