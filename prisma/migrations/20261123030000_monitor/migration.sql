-- The incidents of one monitor are found without reading those of the whole organization.
CREATE INDEX "incident_affected_monitors_idx" ON "incident" USING gin ("affected_monitors");
