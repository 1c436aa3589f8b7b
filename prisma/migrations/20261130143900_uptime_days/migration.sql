-- Schema: 10
-- Serves: Pharos 0.2.0 (schema 1) and later
-- How many days the bars and the uptime of a row cover, the same for both.
ALTER TABLE status_page ADD COLUMN uptime_days SMALLINT NOT NULL DEFAULT 90
    CONSTRAINT status_page_uptime_days CHECK (uptime_days IN (30, 60, 90));

CREATE TRIGGER status_page_uptime_days_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN (OLD.uptime_days IS DISTINCT FROM NEW.uptime_days)
    EXECUTE FUNCTION count_version();
