-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Who used the link in an email that acknowledges an incident: it works once.
CREATE TABLE "acknowledge_link_use" (
    "incident_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "acknowledge_link_use_pkey" PRIMARY KEY ("incident_id", "user_id")
);
CREATE INDEX "acknowledge_link_use_user_id_idx" ON "acknowledge_link_use"("user_id");
ALTER TABLE "acknowledge_link_use" ADD CONSTRAINT "acknowledge_link_use_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "acknowledge_link_use" ADD CONSTRAINT "acknowledge_link_use_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
