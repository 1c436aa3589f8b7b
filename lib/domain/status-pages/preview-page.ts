import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { PagePreview } from '@/lib/schemas/page-preview';
import { type PageHead, type PageView, readViewOf } from './read-page-view';

type Unsaved = Omit<PagePreview, 'scheme'>;

/**
 * What visitors would see of a page that is not saved, with its monitors as they are now. Monitors that the organization
 * does not have are left out. Writes nothing. Throws FORBIDDEN.
 */
export async function previewPage(ctx: OrganizationContext, preview: Unsaved): Promise<PageView> {
  requirePermission(ctx, 'status-page.read');
  const { db, clock, organizationId } = ctx;
  const now = clock.now();
  const where = { organizationId, id: { in: preview.monitors } };
  const own = await db.monitor.findMany({ where, select: { id: true } });
  const known = new Set(own.map(({ id }) => id));
  const monitorIds = preview.monitors.filter((id) => known.has(id));
  return readViewOf({ db }, headOf(preview, now), { organizationId, monitorIds }, now);
}

function headOf({ name, description, logoUrl, theme, showResponseTimes }: Unsaved, now: Date): PageHead {
  return {
    id: 'sp_preview',
    name: name.trim() || 'Untitled',
    slug: 'preview',
    description: description.trim() || null,
    published: false,
    theme,
    logoUrl: logoUrl.trim() || null,
    customDomain: null,
    customDomainVerified: false,
    showResponseTimes,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}
