-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Texts and choices prepared for incidents. No foreign keys to monitors: a template keeps the IDs of deleted ones, as incidents do.
CREATE TABLE "incident_template" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "severity" "incident_severity" NOT NULL,
    "status" "incident_status" NOT NULL,
    "message" TEXT NOT NULL,
    "affected_monitors" TEXT[],
    "affected_components" TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_template_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "incident_template_organization_id_idx" ON "incident_template"("organization_id");
ALTER TABLE "incident_template" ADD CONSTRAINT "incident_template_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER incident_template_version BEFORE UPDATE ON "incident_template" FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();
