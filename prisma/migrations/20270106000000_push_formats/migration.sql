-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Opsgenie, ntfy, Telegram and Pushover. An older process cannot read an endpoint with one of them until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'opsgenie';
ALTER TYPE "webhook_format" ADD VALUE 'ntfy';
ALTER TYPE "webhook_format" ADD VALUE 'telegram';
ALTER TYPE "webhook_format" ADD VALUE 'pushover';
