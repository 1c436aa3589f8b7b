-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The number of monitors of an organization: a page of a list says how many there are without reading all. A table of its own, so that
-- deleting a monitor does not wait for those who hold the organization.
CREATE TABLE "monitor_count" (
    "organization_id" TEXT NOT NULL,
    "monitors" INTEGER NOT NULL,

    CONSTRAINT "monitor_count_pkey" PRIMARY KEY ("organization_id")
);
ALTER TABLE "monitor_count" ADD CONSTRAINT "monitor_count_organization_id_fkey" FOREIGN KEY ("organization_id")
    REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION count_created_monitors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO monitor_count (organization_id, monitors)
    SELECT organization_id, count(*) FROM changed GROUP BY 1 ORDER BY 1
        ON CONFLICT (organization_id) DO UPDATE SET monitors = monitor_count.monitors + excluded.monitors;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_deleted_monitors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE monitor_count SET monitors = monitor_count.monitors - gone.monitors
      FROM (SELECT organization_id, count(*) AS monitors FROM changed GROUP BY 1) AS gone
     WHERE monitor_count.organization_id = gone.organization_id;
    RETURN NULL;
END
$$;

-- Nothing is created between the count and the triggers.
LOCK TABLE "monitor" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "monitor_count" SELECT "organization_id", count(*) FROM "monitor" GROUP BY 1;

CREATE TRIGGER monitor_created AFTER INSERT ON "monitor" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_created_monitors();
CREATE TRIGGER monitor_deleted AFTER DELETE ON "monitor" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_monitors();
