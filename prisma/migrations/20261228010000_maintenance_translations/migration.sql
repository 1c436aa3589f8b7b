-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The texts of a window in other languages of status pages. An older process shows the texts as they were written.
ALTER TABLE "maintenance_window" ADD COLUMN "translations" JSONB NOT NULL DEFAULT '{}';

-- All columns count, so that a new one cannot be forgotten.
DROP TRIGGER maintenance_window_version ON "maintenance_window";
CREATE TRIGGER maintenance_window_version BEFORE UPDATE ON "maintenance_window" FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,updated_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();
