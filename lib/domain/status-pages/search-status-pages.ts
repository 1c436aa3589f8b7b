import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { FoundStatusPage } from '@/lib/schemas/search';

/** The status pages of the organization in whose name and slug all of these words stand, by name. One query. */
export async function searchStatusPages(
  ctx: OrganizationContext,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<FoundStatusPage[]> {
  requirePermission(ctx, 'status-page.read');
  return ctx.db.$queryRaw<FoundStatusPage[]>`
    SELECT slug, name, published FROM status_page
     WHERE organization_id = ${ctx.organizationId}
       AND NOT EXISTS (SELECT FROM unnest(${[...words]}::text[]) AS word
                        WHERE strpos(lower(concat_ws(' ', name, slug)), word) = 0)
     ORDER BY lower(name), slug LIMIT ${limit}`;
}
