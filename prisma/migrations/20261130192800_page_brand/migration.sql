-- Schema: 15
-- Serves: Pharos 0.2.0 (schema 1) and later
-- What a page looks like: light or dark, and images that were uploaded.
--
-- Whether a page is light, dark, or as its visitor prefers. Until now, the background decided: a dark one was dark for everyone, a light one
-- followed the visitor. Existing pages stay as they look.
ALTER TABLE status_page ADD COLUMN appearance TEXT NOT NULL DEFAULT 'automatic'
    CONSTRAINT status_page_appearance CHECK (appearance IN ('automatic', 'light', 'dark'));

-- Dark is what white contrasts with at least as much as black does: a relative luminance (WCAG 2) of at most sqrt(1.05 * 0.05) - 0.05.
UPDATE status_page SET appearance = 'dark'
 WHERE background_color ~ '^#[0-9a-f]{6}$'
   AND (SELECT sum(weight * CASE WHEN level <= 0.04045 THEN level / 12.92 ELSE power((level + 0.055) / 1.055, 2.4) END)
          FROM (SELECT weight, get_byte(decode(substr(background_color, 2), 'hex'), place) / 255::float AS level
                  FROM (VALUES (0, 0.2126), (1, 0.7152), (2, 0.0722)) AS channel (place, weight)) AS channel)
       <= sqrt(1.05 * 0.05) - 0.05;

CREATE TRIGGER status_page_appearance_version BEFORE UPDATE ON status_page FOR EACH ROW
    WHEN (OLD.appearance IS DISTINCT FROM NEW.appearance)
    EXECUTE FUNCTION count_version();

-- At most one image for each place of a page. Its name has its hash, its size in pixels, and its format. While there is one, the URL of the
-- place is null. Older versions show the page without it.
CREATE TABLE page_image (
    page_id TEXT NOT NULL REFERENCES status_page (id) ON DELETE CASCADE ON UPDATE CASCADE,
    place TEXT NOT NULL CONSTRAINT page_image_place CHECK (place IN ('logo', 'darkLogo', 'favicon')),
    name TEXT NOT NULL,
    bytes BYTEA NOT NULL CONSTRAINT page_image_small CHECK (octet_length(bytes) BETWEEN 1 AND 262144),
    PRIMARY KEY (page_id, place)
);
