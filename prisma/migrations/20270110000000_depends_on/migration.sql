-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- The monitors without which a monitor cannot work. While one of them is down, people are not notified of this one.
ALTER TABLE "monitor" ADD COLUMN "depends_on" TEXT[] NOT NULL DEFAULT '{}';
CREATE INDEX "monitor_depends_on" ON "monitor" USING GIN ("depends_on") WHERE "depends_on" <> '{}';
