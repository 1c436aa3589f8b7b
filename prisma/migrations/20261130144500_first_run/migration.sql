-- Schema: 11
-- Serves: Pharos 0.2.0 (schema 1) and later
-- The first steps of an organization are shown until they are done or dismissed. Those who already monitor something do not need them.
ALTER TABLE organization ADD COLUMN first_steps_ended_at TIMESTAMPTZ(3);
ALTER TABLE organization ADD COLUMN channel_tested_at TIMESTAMPTZ(3);
UPDATE organization SET first_steps_ended_at = updated_at
 WHERE EXISTS (SELECT 1 FROM monitor WHERE monitor.organization_id = organization.id);
