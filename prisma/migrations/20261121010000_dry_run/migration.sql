-- How a web process asks a worker in a region for one check: a row that lives for as long as the caller waits. Unlogged,
-- for nothing in it is worth keeping.
CREATE UNLOGGED TABLE "dry_run" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "target_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "result" JSONB,

    CONSTRAINT "dry_run_pkey" PRIMARY KEY ("id")
);
