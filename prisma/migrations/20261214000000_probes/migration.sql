-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The probes in other networks, with what they report of themselves. The row of a worker is deleted once it is missed for seconds; this one
-- shows for a day that a probe is silent.
CREATE TABLE "probe" (
    "id" TEXT NOT NULL,
    "token_id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "address" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "is_leaving" BOOLEAN NOT NULL DEFAULT false,
    "version" TEXT,
    "checks_per_second" DOUBLE PRECISION,
    "lateness_ms" INTEGER,
    "backlog" INTEGER,
    "silent_since" TIMESTAMPTZ(3),
    CONSTRAINT "probe_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "probe_token_id_idx" ON "probe"("token_id");
CREATE INDEX "probe_region_idx" ON "probe"("region");
ALTER TABLE "probe" ADD CONSTRAINT "probe_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "probe_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;
