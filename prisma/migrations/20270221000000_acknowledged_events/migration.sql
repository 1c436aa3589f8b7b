-- Serves: Pharos 0.1.0 (20261127000000_leased_shards) and later
-- Alerts of endpoints that get what was the default are acknowledged with their incidents from now on.
UPDATE "webhook_endpoint"
   SET "events" = ARRAY['incident.created', 'incident.updated', 'incident.acknowledged', 'incident.resolved']
 WHERE "format" IN ('pagerduty', 'opsgenie')
   AND "events" @> ARRAY['incident.created', 'incident.updated', 'incident.resolved']
   AND "events" <@ ARRAY['incident.created', 'incident.updated', 'incident.resolved'];
