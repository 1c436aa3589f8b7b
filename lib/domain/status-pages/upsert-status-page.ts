import { notFound } from '@/lib/core/errors';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { joinTransaction } from '@/lib/platform/db/client';
import type { UpsertBody, Upserted } from '@/lib/schemas/bodies/upsert';
import { isStatusPageId } from '@/lib/schemas/status-pages/slug';
import type { CreateStatusPage, StatusPage, StatusPageChanges } from '@/lib/schemas/status-pages/status-page';
import { createStatusPage, updateStatusPage } from './change-status-page';
import type { PageSettings } from './page-row';

/**
 * Creates the organization's status page with a slug, or changes it. Throws what creating and changing it throw; SLUG_TAKEN if the
 * page of another organization has the slug, and NOT_FOUND for an ID in its place that no page of the organization has.
 */
export async function upsertStatusPage(
  ctx: OrganizationContext,
  slug: string,
  body: UpsertBody<CreateStatusPage, StatusPageChanges>,
  settings: PageSettings,
): Promise<Upserted<StatusPage>> {
  requirePermission(ctx, 'status-page.create');
  const { organizationId } = ctx;
  return ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const inside = { ...ctx, db: joinTransaction(tx) };
    // Locked, so that it is neither deleted nor moved to another slug meanwhile.
    const [found] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM status_page WHERE organization_id = ${organizationId} AND ${slug} IN (slug, id) FOR UPDATE`;
    if (found) {
      return {
        isCreated: false,
        resource: await updateStatusPage(inside, found.id, body.changes(), settings),
      };
    }
    if (isStatusPageId(slug)) throw notFound('Status page');
    requireExpectedVersion(ctx, { version: null });
    return { isCreated: true, resource: await createStatusPage(inside, body.creation(), settings) };
  });
}
