-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Mattermost, Google Chat and Alertmanager. An older process cannot read an endpoint with one of them until it is updated.
ALTER TYPE "webhook_format" ADD VALUE 'mattermost';
ALTER TYPE "webhook_format" ADD VALUE 'googlechat';
ALTER TYPE "webhook_format" ADD VALUE 'alertmanager';
