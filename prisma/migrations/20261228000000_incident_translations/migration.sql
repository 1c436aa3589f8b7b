-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The texts of incidents in other languages of status pages, by language code. An older process shows the texts as they were written.
ALTER TABLE "incident" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "incident_update" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "scheduled_update" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "incident_template" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "page_notice" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';
-- Whether it is about an automatic incident, whose texts the service translates.
ALTER TABLE "page_notice" ADD COLUMN "is_automatic" BOOLEAN NOT NULL DEFAULT false;
