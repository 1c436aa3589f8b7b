import type { Services } from '@/lib/domain/context/services';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { findComponentPages } from '@/lib/domain/organizations/require-components';
import { emitEvents } from '@/lib/notify/emit-events';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident, Prisma } from '@/lib/platform/db/generated/client';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { SERVICE_TEXTS } from '@/lib/schemas/incidents/service-texts';
import type { Translations } from '@/lib/schemas/incidents/translations';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import { watchQuiet } from './schedule/pending-resolution';
import {
  incidentNotice,
  incidentResolved,
  incidentUpdated,
  isEventful,
  logIncidents,
} from './write-incidents';

type NewUpdate = {
  id: string;
  message?: string;
  translations?: Translations<'message'>;
  author: string | null;
};

type Change = {
  /** The new values; a change of the status goes with an update. */
  fields: Prisma.IncidentUpdateInput & { status?: IncidentStatus };
  /**
   * The update to add, if any. Without a message, a default text describes the change. `author` is null for updates by the
   * service.
   */
  update: NewUpdate | null;
};

/**
 * Writes a change of an incident that the caller has locked, with its update, event, notices, and what status pages show. Resolving
 * sets `resolvedAt`; reopening clears it, and who acknowledged the incident.
 */
export async function writeChange(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  before: Incident,
  { fields, update }: Change,
  now: Date,
): Promise<Incident> {
  const { organizationId } = before;
  const status = fields.status ?? before.status;
  const isStatusChange = status !== before.status;
  const isReopened = before.resolvedAt !== null && isStatusChange;
  const translations = update?.translations ?? {};
  const text = update?.message ?? defaultMessage(before.status, status);
  const after = await tx.incident.update({
    where: { id: before.id },
    data: {
      ...fields,
      updatedAt: now,
      ...(isStatusChange ? { resolvedAt: status === 'resolved' ? now : null } : {}),
      ...(isReopened ? { acknowledgedAt: null, acknowledgedBy: null } : {}),
      ...(update === null
        ? {}
        : {
            updates: {
              create: {
                id: update.id,
                status,
                message: text,
                translations,
                author: update.author,
                createdAt: now,
              },
            },
          }),
    },
  });
  if (before.resolveAfterMinutes !== null || after.resolveAfterMinutes !== null) {
    await watchQuiet(tx, after, now);
  }
  await notePagesChanged(tx, { monitorIds: [...before.affectedMonitors, ...after.affectedMonitors] });
  const components = [...before.affectedComponents, ...after.affectedComponents];
  await notePagesChanged(tx, { pageIds: await findComponentPages(tx, organizationId, components) });
  if (update !== null) {
    const kind = isStatusChange && status === 'resolved' ? 'incident.resolved' : 'incident.updated';
    await writePageNotices(tx, services, [incidentNotice(kind, after, { message: text, translations })]);
  }
  if (update !== null || isEventful(before, after)) {
    const isResolved = isStatusChange && status === 'resolved';
    logIncidents(tx, [{ what: isResolved ? 'resolved' : 'updated', incident: after }]);
  }
  if (isEventful(before, after)) {
    const payload = toEvent(before, after, text);
    await emitEvents(tx, services, [{ organizationId, occurredAt: now, payload }]);
  }
  return after;
}

/** What receivers are sent about a change, and the text of its update without one by people. */
export function contentOf(before: Incident, after: Incident): { event: EventContent; message: string } {
  const message = defaultMessage(before.status, after.status);
  return { event: toEvent(before, after, message), message };
}

function toEvent(before: Incident, after: Incident, message: string): EventContent {
  const { resolvedAt } = after;
  return resolvedAt === null || before.status === after.status
    ? incidentUpdated(after, before.status, message)
    : incidentResolved({ ...after, resolvedAt });
}

const NOW = {
  investigating: 'nowInvestigating',
  identified: 'nowIdentified',
  monitoring: 'nowMonitoring',
} as const;

function defaultMessage(before: IncidentStatus, after: IncidentStatus): string {
  if (after === before) return SERVICE_TEXTS.en.changed;
  if (after === 'resolved') return SERVICE_TEXTS.en.resolved;
  if (before === 'resolved') return SERVICE_TEXTS.en.reopened;
  return SERVICE_TEXTS.en[NOW[after]];
}
