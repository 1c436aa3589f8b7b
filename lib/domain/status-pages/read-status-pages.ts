import { notFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { FoundStatusPage } from '@/lib/schemas/search';
import { isSlug, isStatusPageId } from '@/lib/schemas/status-pages/slug';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { type AppAddress, type PageRow, readPageRow, readPageRows, serializeStatusPage } from './page-row';

/** All status pages of the organization, newest first, in one query. */
export async function listStatusPages(ctx: OrganizationContext, address: AppAddress): Promise<StatusPage[]> {
  requirePermission(ctx, 'status-page.read');
  const rows = await readPageRows(ctx.db, Prisma.sql`organization_id = ${ctx.organizationId}`);
  return rows.map((row) => serializeStatusPage(row, address));
}

/** One status page, by its slug or ID. Throws NOT_FOUND, also for pages of other organizations. */
export async function getStatusPage(
  ctx: OrganizationContext,
  slug: string,
  address: AppAddress,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.read');
  return serializeStatusPage(await findOwnPage(ctx, slug), address);
}

/** A page of the organization by its slug or ID, without a permission check. Throws NOT_FOUND. */
export async function findOwnPage(
  { db, organizationId }: { db: Pick<Database, '$queryRaw'>; organizationId: string },
  name: string,
): Promise<PageRow> {
  return readPageRow(db, ownPage(organizationId, name));
}

/** The condition that selects a page of the organization by its slug or ID. No slug is an ID. Throws NOT_FOUND. */
export function ownPage(organizationId: string, name: string): Prisma.Sql {
  const isId = isStatusPageId(name);
  if (!isId && !isSlug(name)) throw notFound('Status page');
  const named = isId ? Prisma.sql`id = ${name}` : Prisma.sql`slug = ${name}`;
  return Prisma.sql`${named} AND organization_id = ${organizationId}`;
}

/** The status pages of the organization whose name and slug contain all of these words, by name, in one query. */
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
