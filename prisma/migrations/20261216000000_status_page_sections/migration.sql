-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How a page groups its rows; monitors of a page stay in status_page_monitor, which decides which of them there are.
ALTER TABLE "status_page" ADD COLUMN "sections" JSONB NOT NULL DEFAULT '[]';

DROP TRIGGER status_page_version ON "status_page";
CREATE TRIGGER status_page_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN ((OLD.name, OLD.slug, OLD.description, OLD.published, OLD.primary_color, OLD.background_color, OLD.text_color, OLD.logo_url,
           OLD.show_response_times, OLD.custom_domain, OLD.sections) IS DISTINCT FROM
          (NEW.name, NEW.slug, NEW.description, NEW.published, NEW.primary_color, NEW.background_color, NEW.text_color, NEW.logo_url,
           NEW.show_response_times, NEW.custom_domain, NEW.sections))
    EXECUTE FUNCTION count_version();
