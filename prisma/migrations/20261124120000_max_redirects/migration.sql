-- Redirects that a check follows. The default is what every version before followed; PostgreSQL adds it without rewriting the
-- table, and it serves versions that do not know the column and run on while this is applied.
ALTER TABLE "monitor" ADD COLUMN "max_redirects" INTEGER NOT NULL DEFAULT 5;
