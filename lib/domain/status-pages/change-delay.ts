import type { Services } from '@/lib/domain/context/services';
import { publishIncidents } from '@/lib/domain/incidents/publish-incidents';
import type { Transaction } from '@/lib/platform/db/client';
import type { PageRow } from './page-row';
import { affects, scopeOf } from './sections/page-scope';

/**
 * Notifies the subscribers of a page that shows automatic incidents immediately from now on, of those that are open and that it has not
 * shown until now. One that is being changed at the moment is left to the notices of its changes.
 */
export async function publishOpen(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  page: PageRow,
  now: Date,
): Promise<void> {
  const open = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM incident WHERE ${affects(scopeOf(page))} AND automatic AND resolved_at IS NULL
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
  const publications = open.map(({ id }) => ({ incidentId: id, pageId: page.id }));
  await publishIncidents(tx, services, publications, now);
}

/**
 * The columns of a page that shows automatic incidents after another delay from now on. A new delay is for incidents that are open or to
 * come: what the page has shown until now stays, and what it has not shown stays hidden.
 */
export async function changeDelay(
  tx: Transaction,
  page: PageRow,
  automaticDelay: number | null,
  now: Date,
): Promise<Partial<Pick<PageRow, 'automaticDelay' | 'automaticSince'>>> {
  if (automaticDelay === page.automaticDelay) return {};
  if (page.automaticDelay === 0) {
    await tx.$executeRaw`
      INSERT INTO incident_publication (page_id, incident_id, published_at)
      SELECT ${page.id}, id, ${now} FROM incident WHERE ${affects(scopeOf(page))} AND automatic
      ON CONFLICT (incident_id, page_id) DO UPDATE SET hidden = false`;
  }
  return { automaticDelay, automaticSince: automaticDelay === 0 ? now : null };
}
