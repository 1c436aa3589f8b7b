CREATE TABLE "maintenance_window" (
    "id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "rrule" TEXT,
    "time_zone" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "maintenance_window_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "maintenance_window_ends_after_start" CHECK ("ends_at" > "starts_at")
);
CREATE INDEX "maintenance_window_organization_id_created_at_idx" ON "maintenance_window"("organization_id", "created_at");
ALTER TABLE "maintenance_window" ADD CONSTRAINT "maintenance_window_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "maintenance_window_monitor" (
    "window_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "maintenance_window_monitor_pkey" PRIMARY KEY ("window_id","monitor_id")
);
CREATE INDEX "maintenance_window_monitor_monitor_id_idx" ON "maintenance_window_monitor"("monitor_id");
ALTER TABLE "maintenance_window_monitor" ADD CONSTRAINT "maintenance_window_monitor_window_id_fkey" FOREIGN KEY ("window_id") REFERENCES "maintenance_window"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "maintenance_window_monitor" ADD CONSTRAINT "maintenance_window_monitor_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "maintenance_occurrence" (
    "window_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "maintenance_occurrence_pkey" PRIMARY KEY ("window_id","starts_at"),
    CONSTRAINT "maintenance_occurrence_not_before_start" CHECK ("ends_at" >= "starts_at")
);
ALTER TABLE "maintenance_occurrence" ADD CONSTRAINT "maintenance_occurrence_window_id_fkey" FOREIGN KEY ("window_id") REFERENCES "maintenance_window"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- The current or next one of a window: there is never more than one.
CREATE UNIQUE INDEX "maintenance_occurrence_open" ON "maintenance_occurrence" ("window_id") WHERE "ended_at" IS NULL;
-- What every worker asks every second: which have begun, which are over.
CREATE INDEX "maintenance_occurrence_due" ON "maintenance_occurrence" ("starts_at", "ends_at") WHERE "ended_at" IS NULL;
CREATE INDEX "maintenance_occurrence_ended" ON "maintenance_occurrence" ("ended_at") WHERE "ended_at" IS NOT NULL;

CREATE INDEX "monitor_state_in_maintenance" ON "monitor_state" ("monitor_id") WHERE "status_before_maintenance" IS NOT NULL;
