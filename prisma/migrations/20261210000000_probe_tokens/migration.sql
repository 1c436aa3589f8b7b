-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What probes in other networks authenticate with, each for one region: see docs/decisions/0039.
CREATE TABLE "probe_token" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "probe_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "probe_token_hash_key" ON "probe_token" ("hash");
