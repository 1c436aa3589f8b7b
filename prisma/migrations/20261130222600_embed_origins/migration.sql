-- Schema: 17
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Which websites may show a page in a frame. None may until now.
ALTER TABLE status_page ADD COLUMN embed_origins TEXT[] NOT NULL DEFAULT '{}'
    CONSTRAINT status_page_embed_origins CHECK (cardinality(embed_origins) <= 20);

CREATE TRIGGER status_page_embed_origins_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN (OLD.embed_origins IS DISTINCT FROM NEW.embed_origins)
    EXECUTE FUNCTION count_version();
