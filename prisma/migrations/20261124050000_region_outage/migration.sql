-- A region without a worker, once the members of an organization were notified of it; gone when its data is back.
CREATE TABLE "region_outage" (
    "organization_id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "region_outage_pkey" PRIMARY KEY ("organization_id", "region")
);
ALTER TABLE "region_outage" ADD CONSTRAINT "region_outage_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
