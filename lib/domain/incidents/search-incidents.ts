import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { FoundIncident } from '@/lib/schemas/search';

/** So many of the newest are searched: a log that grows by itself is not read whole for a keystroke. */
const SEARCHED = 1000;

/** Of the organization's newest incidents those in whose title all of these words stand, open ones first. One query. */
export async function searchIncidents(
  ctx: OrganizationContext,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<FoundIncident[]> {
  requirePermission(ctx, 'incident.read');
  return ctx.db.$queryRaw<FoundIncident[]>`
    SELECT id, title, status::text AS status
      FROM (SELECT id, title, status, resolved_at, created_at, number FROM incident
             WHERE organization_id = ${ctx.organizationId}
             ORDER BY created_at DESC, number DESC LIMIT ${SEARCHED}) AS newest
     WHERE NOT EXISTS (SELECT FROM unnest(${[...words]}::text[]) AS word WHERE strpos(lower(title), word) = 0)
     ORDER BY resolved_at IS NULL DESC, created_at DESC, number DESC LIMIT ${limit}`;
}
