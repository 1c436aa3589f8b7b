import { invalidField } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { readMessages } from './translations/translations';
import { incidentNotice } from './write-incidents';

/** An incident, and a page that shows it from now on. */
export type Publishing = { incidentId: string; pageId: string };

/**
 * Publishes automatic incidents on pages, and notifies the subscribers of those pages if they are open: they were not notified before.
 * Does nothing where they were published before, also if people hid them there.
 */
export async function publishIncidents(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  publications: readonly Publishing[],
  now: Date,
): Promise<void> {
  const published = await tx.incidentPublication.createManyAndReturn({
    data: publications.map((each) => ({ ...each, publishedAt: now })),
    skipDuplicates: true,
    select: { incidentId: true, pageId: true },
  });
  if (published.length === 0) return;
  const incidents = await tx.incident.findMany({
    where: { id: { in: published.map(({ incidentId }) => incidentId) }, resolvedAt: null },
    include: { updates: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 1 } },
  });
  const open = new Map(incidents.map((incident) => [incident.id, incident]));
  const notices = published.flatMap(({ incidentId, pageId }) => {
    const incident = open.get(incidentId);
    if (incident === undefined) return [];
    const [latest] = incident.updates;
    const update = latest
      ? { message: latest.message, translations: readMessages(latest) }
      : { message: incident.description };
    return [{ ...incidentNotice('incident.created', { ...incident, updatedAt: now }, update), pageId }];
  });
  await writePageNotices(tx, services, notices);
  await notePagesChanged(tx, { pageIds: published.map(({ pageId }) => pageId) });
}

/** The pages on which an automatic incident was published, by ID. */
export type PublishedOn = { before: string[]; after: string[] };

/**
 * Changes the pages on which an automatic incident was published, other than those that show it immediately. The subscribers of a page are
 * notified when it is published there for the first time, not when people show it again. Throws VALIDATION_ERROR if it is not
 * automatic, and for a page that the organization does not have. Returns null if nothing changes. The caller holds
 * the lock of the incident, and has read `before` since.
 */
export async function changePublishedOn(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  { id: incidentId, organizationId, automatic }: Pick<Incident, 'id' | 'organizationId' | 'automatic'>,
  { before, pageIds, now }: { before: string[]; pageIds: readonly string[]; now: Date },
): Promise<PublishedOn | null> {
  if (!automatic && pageIds.length > 0) {
    throw invalidField('publishedOn', 'is only for automatic incidents; pages show others at once');
  }
  const own = await tx.statusPage.findMany({
    where: { organizationId, id: { in: [...pageIds] } },
    select: { id: true, automaticDelay: true },
  });
  const known = new Set(own.map(({ id }) => id));
  const unknown = pageIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalidField(`publishedOn.${unknown}`, 'is not a status page of this organization');
  const after = [...pageIds].sort();
  if (before.join() === after.join()) return null;
  const withdrawn = before.filter((pageId) => !known.has(pageId));
  await tx.incidentPublication.updateMany({
    where: { incidentId, pageId: { in: withdrawn } },
    data: { hidden: true },
  });
  const shown = after.filter((pageId) => !before.includes(pageId));
  await tx.incidentPublication.updateMany({
    where: { incidentId, pageId: { in: shown } },
    data: { hidden: false },
  });
  await notePagesChanged(tx, { pageIds: [...withdrawn, ...shown] });
  // Subscribers of these pages were notified when it opened.
  const immediate = own.filter(({ automaticDelay }) => automaticDelay === 0);
  await tx.incidentPublication.createMany({
    data: immediate.map(({ id }) => ({ incidentId, pageId: id, publishedAt: now })),
    skipDuplicates: true,
  });
  const publications = shown.map((pageId) => ({ incidentId, pageId }));
  await publishIncidents(tx, services, publications, now);
  return { before, after };
}

/** The pages on which an incident was published, and not hidden again, by ID in order. */
export async function readPublishedOn(tx: Transaction, incidentId: string): Promise<string[]> {
  const rows = await tx.incidentPublication.findMany({
    where: { incidentId, hidden: false },
    select: { pageId: true },
  });
  return rows.map(({ pageId }) => pageId).sort();
}
