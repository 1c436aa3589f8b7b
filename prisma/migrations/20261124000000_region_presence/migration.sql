-- When a living worker last served each region. It outlives the workers' own rows, which go with them.
CREATE TABLE "region_presence" (
    "region" TEXT NOT NULL,
    "served_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "region_presence_pkey" PRIMARY KEY ("region")
);
INSERT INTO "region_presence" ("region", "served_at")
SELECT region, max(seen_at) FROM worker, unnest(regions) AS region GROUP BY region;

-- What a worker takes on: all, or checks alone (WORKER_DUTIES).
CREATE TYPE "worker_duties" AS ENUM ('all', 'probe');
ALTER TABLE "worker" ADD COLUMN "duties" "worker_duties" NOT NULL DEFAULT 'all';
