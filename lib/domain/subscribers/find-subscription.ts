import type { Services } from '@/lib/domain/context/services';
import { type PageRow, readPageRows } from '@/lib/domain/status-pages/page-row';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isSlug } from '@/lib/schemas/status-page';

/**
 * Finds what the link of a mail is about, for who has shown that it is theirs: their page, hidden or renamed meanwhile as it
 * may be. Once they are not subscribed any more it is the published page at `slug`, if there is one.
 */
export async function findSubscription(
  { db }: Pick<Services, 'db'>,
  { id, slug }: { id: string; slug: string },
): Promise<{ page: PageRow | null; isSubscribed: boolean }> {
  const subscriber = await db.pageSubscriber.findUnique({ where: { id }, select: { pageId: true } });
  const where = subscriber
    ? Prisma.sql`id = ${subscriber.pageId}`
    : Prisma.sql`slug = ${isSlug(slug) ? slug : ''} AND published`;
  const [page = null] = await readPageRows(db, where);
  return { page, isSubscribed: subscriber !== null };
}
