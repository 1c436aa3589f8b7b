-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Who may see a published page. An older process knows only public ones, so pages must not become private before all are updated.
CREATE TYPE "page_visibility" AS ENUM ('public', 'password', 'ip', 'members');
ALTER TABLE "status_page" ADD COLUMN "visibility" "page_visibility" NOT NULL DEFAULT 'public',
    ADD COLUMN "password_hash" TEXT,
    ADD COLUMN "allowed_cidrs" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "access_version" INTEGER NOT NULL DEFAULT 1,
    ADD CONSTRAINT "status_page_private_check" CHECK (
        (visibility <> 'password' OR password_hash IS NOT NULL) AND (visibility <> 'ip' OR allowed_cidrs <> '{}'));

-- Apart from the trigger of the other columns: both result in the same version.
CREATE TRIGGER status_page_access_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN ((OLD.visibility, OLD.password_hash, OLD.allowed_cidrs) IS DISTINCT FROM
          (NEW.visibility, NEW.password_hash, NEW.allowed_cidrs))
    EXECUTE FUNCTION count_version();

CREATE TABLE "page_token" (
    "id" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "page_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "page_token_hash_key" ON "page_token"("hash");
CREATE INDEX "page_token_page_id_created_at_idx" ON "page_token"("page_id", "created_at");
ALTER TABLE "page_token" ADD CONSTRAINT "page_token_page_id_fkey"
    FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
