-- What a person is called on screens; the address stands in where it is empty.
ALTER TABLE "user" ADD COLUMN "name" TEXT;

-- Who is signed in where. The cookie only names a row here, so that ending a session counts at once.
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "organization_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "session_user_id_idx" ON "session"("user_id");
CREATE INDEX "session_organization_id_idx" ON "session"("organization_id");
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "session" ADD CONSTRAINT "session_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Links that open a door once. Only a SHA-256 of the token is kept.
CREATE TYPE "token_kind" AS ENUM ('password_reset', 'email_confirmation', 'invitation');
CREATE TABLE "one_time_token" (
    "id" TEXT NOT NULL,
    "kind" "token_kind" NOT NULL,
    "hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "user_id" TEXT,
    "organization_id" TEXT,
    "role" "role",
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "one_time_token_hash_key" ON "one_time_token"("hash");
CREATE INDEX "one_time_token_user_id_idx" ON "one_time_token"("user_id");
CREATE INDEX "one_time_token_organization_id_idx" ON "one_time_token"("organization_id");
CREATE INDEX "one_time_token_created_by_idx" ON "one_time_token"("created_by");
CREATE INDEX "one_time_token_expires_at_idx" ON "one_time_token"("expires_at");
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- One open link for one purpose: a new one takes the place of the older.
CREATE UNIQUE INDEX "one_time_token_open" ON "one_time_token" ("kind", "email", (COALESCE("organization_id", ''))) WHERE "used_at" IS NULL;
ALTER TABLE "one_time_token" ADD CONSTRAINT "one_time_token_names_its_subject" CHECK (
    CASE "kind"
        WHEN 'password_reset' THEN "user_id" IS NOT NULL
        WHEN 'invitation' THEN "organization_id" IS NOT NULL AND "role" IS NOT NULL
        ELSE TRUE
    END
);
