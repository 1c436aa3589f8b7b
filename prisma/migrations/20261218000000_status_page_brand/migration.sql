-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- How a page looks besides its colors and logo; fields that it does not have are at their defaults. An older process keeps it as it is.
ALTER TABLE "status_page" ADD COLUMN "brand" JSONB NOT NULL DEFAULT '{}';

-- Besides status_page_version: both set the same number.
CREATE TRIGGER status_page_brand_version BEFORE UPDATE ON "status_page" FOR EACH ROW
    WHEN (OLD.brand IS DISTINCT FROM NEW.brand)
    EXECUTE FUNCTION count_version();
