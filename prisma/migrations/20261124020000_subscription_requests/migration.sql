-- The confirmation emails of the last hour, for the limit per page.
CREATE TABLE "subscription_request" (
    "id" BIGSERIAL NOT NULL,
    "page_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_request_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "subscription_request_page_id_requested_at_idx" ON "subscription_request"("page_id", "requested_at");
ALTER TABLE "subscription_request" ADD CONSTRAINT "subscription_request_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
