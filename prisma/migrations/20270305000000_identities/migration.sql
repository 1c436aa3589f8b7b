-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Signing in with a provider: the accounts there that are linked to users, who need no password.
ALTER TABLE "user" ALTER COLUMN "password_hash" DROP NOT NULL;

CREATE TABLE "identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "identity_user_id_idx" ON "identity"("user_id");
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
