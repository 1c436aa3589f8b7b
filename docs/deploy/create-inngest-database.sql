-- Runs when the volume of the PostgreSQL image is empty. Inngest stores its history in this database.
CREATE DATABASE inngest;
