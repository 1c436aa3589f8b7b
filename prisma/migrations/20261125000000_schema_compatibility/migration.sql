-- Serves: Pharos 0.1.0 (20261124030000_answers_per_key) and later
-- Of the migrations without such a line, two ended older versions: 20261123000000_strangers renamed a column of "instance", and
-- 20261124030000_answers_per_key added required columns to "api_key" and "idempotent_answer".

-- One row: the oldest version that may start with this database. bin/cli reads it before anything else.
CREATE TABLE "schema_compatibility" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "oldest_release" TEXT NOT NULL,
    "oldest_migration" TEXT NOT NULL,

    CONSTRAINT "schema_compatibility_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schema_compatibility_one_row" CHECK ("id" = 1)
);
