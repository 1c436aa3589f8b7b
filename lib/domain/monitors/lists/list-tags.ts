import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** Every tag of the organization's monitors, by name. Throws FORBIDDEN. */
export async function listTags(ctx: OrganizationContext): Promise<string[]> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ tag: string }[]>`
    SELECT DISTINCT unnest(tags) AS tag FROM monitor WHERE organization_id = ${ctx.organizationId}`;
  return rows.map(({ tag }) => tag).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
