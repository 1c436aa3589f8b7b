-- When an incident began: the first check of the run that opened it, as the ledger has it. The default serves versions that
-- do not know the column and run on while this is applied.
ALTER TABLE "incident" ADD COLUMN "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

UPDATE "incident" SET "started_at" = coalesce(
  (SELECT min("from_at") FROM "status_period" AS period
    WHERE "incident"."automatic" AND period."monitor_id" = "incident"."monitor_id"
      AND period."decided_at" = "incident"."created_at" AND period."state" IN ('down', 'degraded')
      AND period."from_at" <= "incident"."created_at"),
  "created_at");
