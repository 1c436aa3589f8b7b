-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Own regions of organizations: see docs/decisions/0040. A number identifies a region in stored results, and is never used again, not
-- even after a rollback. An older process does not know these regions: it neither checks monitors from there, nor shows their results.
CREATE SEQUENCE "region_number" AS SMALLINT MINVALUE 101 NO CYCLE;
CREATE TABLE "region" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    CONSTRAINT "region_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "region_organization_id_idx" ON "region" ("organization_id");
ALTER TABLE "region" ADD CONSTRAINT "region_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "region_name_key" ON "region" ("organization_id", lower("name")) WHERE "deleted_at" IS NULL;
CREATE TRIGGER region_version BEFORE UPDATE ON "region" FOR EACH ROW
    WHEN ((OLD.name, OLD.place) IS DISTINCT FROM (NEW.name, NEW.place))
    EXECUTE FUNCTION count_version();
