-- Nothing here is visible to Prisma: partitions and what belongs to them live in the schema "raw".

-- Results arrive in the order of their time, so that a few bytes per megabyte are enough to find an hour of all
-- monitors. And the few results that are not good are found without reading the many that are.
CREATE INDEX "check_result_time" ON "raw"."check_result" USING brin ("checked_at") WITH (autosummarize = on);
CREATE INDEX "check_result_trouble" ON "raw"."check_result" ("monitor", "checked_at") WHERE "outcome" <> 0;

-- One hour of one monitor from one region. Partitions of a month, dropped whole when they are too old. No foreign key:
-- rolling up takes no lock on monitors, and what is left of a deleted one, which nobody can reach by its number, goes
-- with its partition, as its raw results do.
CREATE TABLE "raw"."rollup_hour" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    -- Milliseconds of all good checks together.
    "response_time_sum" BIGINT NOT NULL,
    "monitor" INTEGER NOT NULL,
    -- Checks that said something of the target, and how many of them failed; unknown ones are counted apart.
    "checks" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL,
    "region" SMALLINT NOT NULL,
    -- Response times of good checks: one entry a used bucket, as lib/monitors/latency-histogram.ts packs it.
    "latency" INTEGER[] NOT NULL,
    CONSTRAINT "rollup_hour_pkey" PRIMARY KEY ("monitor", "hour", "region")
) PARTITION BY RANGE ("hour");

-- One row: the hours before this moment are rolled up.
CREATE TABLE "raw"."rollup_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "rolled_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "rollup_progress_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "rollup_progress_one_row" CHECK ("id" = 1)
);
