import type { OrganizationContext } from '@/lib/domain/context/organization-context';

/**
 * Gives an organization's monitors 90 days of history with occasional hours of being down or degraded, none of which
 * crosses midnight UTC at whatever time this runs. Their current status stays.
 */
export async function writeHistory({ db, organizationId }: OrganizationContext): Promise<void> {
  await db.$executeRaw`
    UPDATE monitor SET created_at = now() - interval '90 days' WHERE organization_id = ${organizationId}`;
  await db.$executeRaw`
    DELETE FROM uptime_month USING monitor WHERE monitor.id = monitor_id AND organization_id = ${organizationId}`;
  await db.$executeRaw`
    DELETE FROM status_period USING monitor
     WHERE monitor.id = monitor_id AND organization_id = ${organizationId} AND to_at IS NOT NULL`;
  await db.$executeRaw`
    INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at)
    SELECT id, state, at + make_interval(hours => first), at + make_interval(hours => last), at
      FROM (SELECT id, row_number() OVER (ORDER BY id)::int AS nth FROM monitor
             WHERE organization_id = ${organizationId}) AS own, generate_series(0, 68) AS n,
           LATERAL (SELECT date_trunc('hour', now(), 'UTC') - make_interval(hours => 2160 - n * 31 - nth * 3) AS at) AS began,
           LATERAL (VALUES ('operational'::period_state, 0, 30),
                           ((CASE WHEN n % 5 = nth THEN 'down' WHEN n % 7 = 0 THEN 'degraded'
                                  ELSE 'operational' END)::period_state, 30, 31)) AS stretch (state, first, last)`;
  await db.$executeRaw`
    UPDATE status_period AS current
       SET from_at = (SELECT max(to_at) FROM status_period AS past WHERE past.monitor_id = current.monitor_id),
           known_before = NULL
      FROM monitor
     WHERE monitor.id = current.monitor_id AND organization_id = ${organizationId} AND to_at IS NULL`;
}
