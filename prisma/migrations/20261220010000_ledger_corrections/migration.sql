-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- What a person says that some time of a monitor counts as, over the ledger, which stays as it was measured. The times of a monitor do not
-- overlap: the verbs that write them hold the lock of its state. An older process ignores them.
CREATE TABLE "ledger_correction" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "window_id" TEXT,
    "state" "period_state" NOT NULL,
    "reason" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_correction_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "ledger_correction_time" CHECK ("from_at" < "to_at")
);
CREATE INDEX "ledger_correction_monitor_id_from_at_idx" ON "ledger_correction"("monitor_id", "from_at");
CREATE INDEX "ledger_correction_organization_id_to_at_idx" ON "ledger_correction"("organization_id", "to_at");
CREATE INDEX "ledger_correction_window_id_idx" ON "ledger_correction"("window_id");
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_monitor_id_fkey"
    FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_window_id_fkey"
    FOREIGN KEY ("window_id") REFERENCES "maintenance_window"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whether a monitor has any, where lists read it anyway: the others cost nothing more.
ALTER TABLE "monitor_state" ADD COLUMN "is_corrected" BOOLEAN NOT NULL DEFAULT false;

CREATE FUNCTION follow_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE monitor_state AS state
       SET is_corrected = EXISTS (SELECT FROM ledger_correction WHERE monitor_id = state.monitor_id)
     WHERE monitor_id IN (SELECT monitor_id FROM changed);
    RETURN NULL;
END
$$;
CREATE TRIGGER ledger_correction_inserted AFTER INSERT ON "ledger_correction" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_corrections();
CREATE TRIGGER ledger_correction_deleted AFTER DELETE ON "ledger_correction" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_corrections();
