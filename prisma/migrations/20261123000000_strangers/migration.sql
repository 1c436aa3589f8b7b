-- While the secret key is rotated, values stand under two keys: a process needs every key that is named here.
ALTER TABLE "instance" RENAME COLUMN "secret_key_check" TO "secret_key_checks";
ALTER TABLE "instance" ALTER COLUMN "secret_key_checks" TYPE TEXT[] USING ARRAY["secret_key_checks"];
