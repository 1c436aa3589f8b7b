-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Passkeys, and the challenges that they have signed: each works once.
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "is_synced" BOOLEAN NOT NULL,
    "is_backed_up" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");
CREATE INDEX "passkey_user_id_idx" ON "passkey"("user_id");
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "used_challenge" (
    "challenge" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_challenge_pkey" PRIMARY KEY ("challenge")
);
CREATE INDEX "used_challenge_expires_at_idx" ON "used_challenge"("expires_at");
