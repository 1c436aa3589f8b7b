-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How often the configuration of a resource changed, for callers that must not overwrite the change of another. Counted by triggers, so
-- that no writer in any version can forget it.
ALTER TABLE "monitor" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "status_page" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "webhook_endpoint" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "incident" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "maintenance_window" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "api_key" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "membership" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;

CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;

-- A monitor's row is configuration only, new columns included.
CREATE TRIGGER monitor_version BEFORE UPDATE ON "monitor" FOR EACH ROW
    WHEN (to_jsonb(OLD) - '{version,config_version,updated_at}'::text[] IS DISTINCT FROM
          to_jsonb(NEW) - '{version,config_version,updated_at}'::text[])
    EXECUTE FUNCTION count_version();

CREATE TRIGGER status_page_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN ((OLD.name, OLD.slug, OLD.description, OLD.published, OLD.primary_color, OLD.background_color, OLD.text_color, OLD.logo_url,
           OLD.show_response_times, OLD.custom_domain) IS DISTINCT FROM
          (NEW.name, NEW.slug, NEW.description, NEW.published, NEW.primary_color, NEW.background_color, NEW.text_color, NEW.logo_url,
           NEW.show_response_times, NEW.custom_domain))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER webhook_endpoint_version BEFORE UPDATE ON "webhook_endpoint" FOR EACH ROW
    WHEN ((OLD.url, OLD.description, OLD.events, OLD.format, OLD.enabled) IS DISTINCT FROM
          (NEW.url, NEW.description, NEW.events, NEW.format, NEW.enabled))
    EXECUTE FUNCTION count_version();

-- Everything an incident says counts, also what the engine writes: an update comes with a new `updated_at`.
CREATE TRIGGER incident_version BEFORE UPDATE ON "incident" FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION count_version();

CREATE TRIGGER maintenance_window_version BEFORE UPDATE ON "maintenance_window" FOR EACH ROW
    WHEN ((OLD.title, OLD.message, OLD.starts_at, OLD.ends_at, OLD.rrule, OLD.time_zone) IS DISTINCT FROM
          (NEW.title, NEW.message, NEW.starts_at, NEW.ends_at, NEW.rrule, NEW.time_zone))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER api_key_version BEFORE UPDATE ON "api_key" FOR EACH ROW
    WHEN ((OLD.name, OLD.scope, OLD.expires_at, OLD.revoked_at) IS DISTINCT FROM (NEW.name, NEW.scope, NEW.expires_at, NEW.revoked_at))
    EXECUTE FUNCTION count_version();

CREATE TRIGGER membership_version BEFORE UPDATE ON "membership" FOR EACH ROW
    WHEN (OLD.role IS DISTINCT FROM NEW.role)
    EXECUTE FUNCTION count_version();

-- Colors are returned in lowercase.
UPDATE "status_page" SET "primary_color" = lower("primary_color"), "background_color" = lower("background_color"),
       "text_color" = lower("text_color")
 WHERE ("primary_color" || "background_color" || "text_color") ~ '[A-F]';
