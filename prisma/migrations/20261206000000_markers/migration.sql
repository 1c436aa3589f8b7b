-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Deploys and other changes that people mark, to see in charts what changed before an outage. No foreign keys to monitors: a marker is
-- history, and outlives them.
CREATE TABLE "marker" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "url" TEXT,
    "tags" TEXT[],
    "monitors" TEXT[],
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "marker_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "marker_organization_id_occurred_at_number_idx" ON "marker"("organization_id", "occurred_at", "number");
ALTER TABLE "marker" ADD CONSTRAINT "marker_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
