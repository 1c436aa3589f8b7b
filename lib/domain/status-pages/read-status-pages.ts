import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isSlug, type StatusPage } from '@/lib/schemas/status-page';
import type { AppAddress } from './domain-settings';
import { readPageRows, serializeStatusPage } from './page-row';

/** All status pages of the organization, newest first, in one query. */
export async function listStatusPages(ctx: OrganizationContext, address: AppAddress): Promise<StatusPage[]> {
  requirePermission(ctx, 'status-page.read');
  const rows = await readPageRows(ctx.db, Prisma.sql`organization_id = ${ctx.organizationId}`);
  return rows.map((row) => serializeStatusPage(row, address));
}

/** One status page; NOT_FOUND for an unknown slug and for another organization's alike. */
export async function getStatusPage(
  ctx: OrganizationContext,
  slug: string,
  address: AppAddress,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.read');
  const { organizationId } = ctx;
  const isOwn = Prisma.sql`slug = ${slug} AND organization_id = ${organizationId}`;
  const [row] = isSlug(slug) ? await readPageRows(ctx.db, isOwn) : [];
  if (row === undefined) throw statusPageNotFound();
  return serializeStatusPage(row, address);
}

/** The refusal that every verb on a missing page shares. */
export function statusPageNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such status page.');
}
