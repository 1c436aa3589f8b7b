import type { Services } from '@/lib/domain/context/services';
import type { PublicIncident } from '@/lib/schemas/status-page';
import { findPublishedPage } from './find-published-page';
import { type MonitorName, readMonitorNames } from './read-monitor-names';
import { type PageHead, serializeHead } from './read-page-view';
import { type PublicPostmortem, readPostmortem } from './read-postmortem';
import { readPageIncident } from './read-public-incidents';

/** One incident of a page with all its updates; `monitors` are those of the page, in its order. */
export type IncidentView = {
  page: PageHead;
  asOf: string;
  monitors: MonitorName[];
  incident: PublicIncident;
  /** Null until it is published. */
  postmortem: PublicPostmortem | null;
};

/**
 * One incident under its permanent address. Throws NOT_FOUND for a page that is unknown or not published, and for an
 * incident that is not of this page. `slug` has the form of one; `id` may be any text.
 */
export async function readIncidentView(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
  id: string,
): Promise<IncidentView> {
  const page = await findPublishedPage(db, slug);
  const { organizationId, monitors: monitorIds } = page;
  const scope = { organizationId, monitorIds };
  const [incident, monitors] = await Promise.all([
    readPageIncident({ db }, scope, id),
    readMonitorNames(db, monitorIds),
  ]);
  const postmortem = await readPostmortem({ db }, scope, incident.id);
  return { page: serializeHead(page), asOf: clock.now().toISOString(), monitors, incident, postmortem };
}
