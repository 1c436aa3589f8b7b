-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Sign-in in two steps: authenticator apps, recovery codes, and what a sign-in still lacks.
CREATE TYPE "sign_in_method" AS ENUM ('password', 'invitation', 'setup', 'provider', 'passkey');

ALTER TABLE "organization" ADD COLUMN "second_factor_from" TIMESTAMPTZ(3);
ALTER TABLE "session" ADD COLUMN "second_factor_at" TIMESTAMPTZ(3);

CREATE TABLE "totp_factor" (
    "user_id" TEXT NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "totp_factor_pkey" PRIMARY KEY ("user_id")
);
ALTER TABLE "totp_factor" ADD CONSTRAINT "totp_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "recovery_code" (
    "user_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id", "hash")
);
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "pending_sign_in" (
    "hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "method" "sign_in_method" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_sign_in_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "pending_sign_in_user_id_idx" ON "pending_sign_in"("user_id");
CREATE INDEX "pending_sign_in_expires_at_idx" ON "pending_sign_in"("expires_at");
ALTER TABLE "pending_sign_in" ADD CONSTRAINT "pending_sign_in_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
