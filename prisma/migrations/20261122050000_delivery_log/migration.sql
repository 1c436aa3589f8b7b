-- What people look for in the log: what failed, and what still waits. What was delivered costs nothing here.
CREATE INDEX "delivery_undelivered" ON "delivery" ("organization_id", "status", "created_at", "number")
    WHERE "status" <> 'delivered';
