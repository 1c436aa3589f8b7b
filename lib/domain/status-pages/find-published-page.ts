import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type PageRow, readPageRows } from './page-row';
import { statusPageNotFound } from './read-status-pages';

/** A page that everybody may see. Throws NOT_FOUND, the same for an unknown slug and for a page that is not published. */
export async function findPublishedPage(db: Pick<Database, '$queryRaw'>, slug: string): Promise<PageRow> {
  const [page] = await readPageRows(db, Prisma.sql`slug = ${slug} AND published`);
  if (page === undefined) throw statusPageNotFound();
  return page;
}
