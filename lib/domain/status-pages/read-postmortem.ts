import type { Services } from '@/lib/domain/context/services';
import type { PageScope } from './read-public-incidents';

/** What went wrong and what was learned, as light Markdown. */
export type PublicPostmortem = { text: string; publishedAt: string };

/** The postmortem of an incident of a page; null until it is published, and for an incident that is not of this page. */
export async function readPostmortem(
  { db }: Pick<Services, 'db'>,
  { organizationId, monitorIds }: PageScope,
  id: string,
): Promise<PublicPostmortem | null> {
  const row = await db.incident.findFirst({
    where: { id, organizationId, affectedMonitors: { hasSome: monitorIds } },
    select: { postmortem: true, postmortemPublishedAt: true },
  });
  const { postmortem: text = null, postmortemPublishedAt: publishedAt = null } = row ?? {};
  return text === null || publishedAt === null ? null : { text, publishedAt: publishedAt.toISOString() };
}
