CREATE TABLE "status_page" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT,
    "published" BOOLEAN NOT NULL,
    "primary_color" TEXT NOT NULL,
    "background_color" TEXT NOT NULL,
    "text_color" TEXT NOT NULL,
    "logo_url" TEXT,
    "custom_domain" TEXT,
    "custom_domain_verified_at" TIMESTAMPTZ(3),
    "domain_token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_page_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "status_page_domain_lower" CHECK ("custom_domain" = lower("custom_domain")),
    CONSTRAINT "status_page_verified_has_domain" CHECK ("custom_domain_verified_at" IS NULL OR "custom_domain" IS NOT NULL)
);
CREATE UNIQUE INDEX "status_page_slug_key" ON "status_page"("slug");
CREATE INDEX "status_page_organization_id_created_at_idx" ON "status_page"("organization_id", "created_at");
-- Anybody may ask for a domain; whoever shows that it is theirs has it alone.
CREATE UNIQUE INDEX "status_page_verified_domain" ON "status_page" ("custom_domain") WHERE "custom_domain_verified_at" IS NOT NULL;
ALTER TABLE "status_page" ADD CONSTRAINT "status_page_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "status_page_monitor" (
    "page_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "status_page_monitor_pkey" PRIMARY KEY ("page_id","monitor_id")
);
CREATE INDEX "status_page_monitor_monitor_id_idx" ON "status_page_monitor"("monitor_id");
ALTER TABLE "status_page_monitor" ADD CONSTRAINT "status_page_monitor_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "status_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "status_page_monitor" ADD CONSTRAINT "status_page_monitor_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
