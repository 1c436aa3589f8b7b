import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { joinThread } from '@/lib/domain/notices/mail-threads';
import { composeReminderMail, type Reminder } from '@/lib/domain/notices/reminder-mail';
import { hasReaders } from '@/lib/notify/notices';
import { doOwnedWork } from '@/lib/platform/db/claims';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { nowIfAny } from '@/lib/platform/db/moments';
import { MAX_REMINDERS } from '@/lib/schemas/incidents/reminder-limits';
import type { NoticeSettings } from './gather-notices';
import { combineByAddress, findRecipients, queueAlertPushes, queueAlerts } from './recipients';
import { isReminded, readNotified } from './route-notices';

/** Organizations per call. */
const BATCH = 20;
const MINUTE_MS = 60_000;
/** What is due within this time, or half the interval, is in the same mail: monitors that went down one after another. */
const GATHER_MS = 5 * MINUTE_MS;

type DueIncident = Omit<Reminder, 'isLast'> & {
  monitorId: string;
  reminders: number;
  /** When members were last emailed about it. */
  mailedAt: Date;
};

/**
 * Notifies members again about monitors that they know are down, in the organizations that want it, until somebody
 * acknowledges the incident or it is resolved; never about monitors that are degraded, paused, in maintenance or without data, nor while
 * they flap.
 * Each reminder is written with its mails in one transaction that holds the organization: of several workers one sends it.
 */
export async function mailDueReminders(
  { log, ...services }: Services & { log?: Logger },
  { appUrl }: Pick<NoticeSettings, 'appUrl'>,
): Promise<void> {
  const now = services.clock.now();
  await doOwnedWork<Organization>(services.db, {
    owners: 'organization',
    columns: Prisma.sql`name, reminder_minutes AS minutes`,
    due: Prisma.sql`SELECT id ${toRemind(now, services.mail)} ORDER BY random() LIMIT ${BATCH}`,
    act: (tx, organization) => remind(tx, services, organization, { now, appUrl }),
    onError: (id, error) =>
      log?.error({ organization: id, error: describeError(error) }, 'could not remind members of incidents'),
  });
}

/** What an organization could be reminded of. Its ID is that of the row `organization`. */
const unacknowledged = Prisma.sql`
  SELECT incident.id AS "incidentId", monitor.id AS "monitorId", monitor.name AS "monitorName", monitor.url AS target,
         started_at AS "startedAt", notices.*
    FROM incident
    JOIN monitor ON monitor.id = incident.monitor_id AND monitor.enabled
    JOIN status_period AS period ON period.monitor_id = monitor.id AND period.to_at IS NULL AND period.state = 'down'
   CROSS JOIN LATERAL (
         SELECT max(mailed_at) AS "mailedAt", count(*) FILTER (WHERE kind = 'incident.reminder')::int AS reminders,
                (array_agg(error ORDER BY id DESC) FILTER (WHERE kind = 'monitor.down'))[1] AS error,
                bool_or(kind = 'monitor.down') AS "isAnnounced"
           FROM member_notice AS notice WHERE notice.incident_id = incident.id AND mailed_at IS NOT NULL) AS notices
   WHERE incident.organization_id = organization.id AND resolved_at IS NULL AND automatic
     AND acknowledged_at IS NULL
     AND NOT EXISTS (SELECT FROM flapping WHERE flapping.monitor_id = monitor.id AND ended_at IS NULL)
     AND "isAnnounced" AND reminders < ${MAX_REMINDERS}`;

function toRemind(now: Date, mail: { isOn: boolean }): Prisma.Sql {
  return Prisma.sql`
      FROM organization
     WHERE reminder_minutes IS NOT NULL AND ${hasReaders(Prisma.sql`organization.id`, mail)}
       AND EXISTS (SELECT FROM (${unacknowledged}) AS open
                    WHERE "mailedAt" <= ${now}::timestamptz - make_interval(mins => reminder_minutes))`;
}

/** Now, while any organization is to be reminded. */
export const remindersDueAt = (now: Date, { mail }: Pick<Services, 'mail'>) =>
  nowIfAny(now, Prisma.sql`SELECT ${toRemind(now, mail)}`);

type Organization = { name: string; minutes: number | null };
type Turn = { now: Date; appUrl: string | null };

async function remind(
  tx: Transaction,
  services: Services,
  { id, name, minutes }: Organization & { id: string },
  { now, appUrl }: Turn,
): Promise<void> {
  if (minutes === null) return;
  // Read after the lock: another worker may have reminded of them.
  const gatheredUntil = new Date(now.getTime() + Math.min(GATHER_MS, (minutes * MINUTE_MS) / 2));
  const due = await tx.$queryRaw<DueIncident[]>`
    SELECT open.* FROM organization CROSS JOIN LATERAL (${unacknowledged}) AS open
     WHERE organization.id = ${id}
       AND "mailedAt" <= ${gatheredUntil}::timestamptz - make_interval(mins => ${minutes}::int)
     ORDER BY "startedAt", "incidentId"`;
  const [first, ...others] = due.map((one) => ({ ...one, isLast: one.reminders + 1 === MAX_REMINDERS }));
  if (!first || !due.some(({ mailedAt }) => mailedAt.getTime() <= now.getTime() - minutes * MINUTE_MS))
    return;
  await writeReminders(tx, { organizationId: id, due, now });
  const context = { organizationName: name, appUrl, minutes, now };
  const all = [first, ...others];
  const incidentIds = idsOf(due);
  const { subject } = composeReminderMail([first, ...others], context);
  const thread = await joinThread(tx, id, { incidentIds, subject });
  const recipients = await findRecipients(tx, services, id);
  const hasRules = recipients.some(({ rules }) => rules.length > 0);
  const notified = hasRules ? await readNotified(tx, id, { incidentIds }) : new Map();
  const sent = combineByAddress(recipients, all, (recipient, { incidentId }) =>
    isReminded(recipient, notified.get(incidentId)),
  );
  const alert = { organizationId: id, recipients: sent.keys(), thread, appUrl };
  await queueAlerts(tx, services, alert, (recipient) => {
    const [own, ...more] = sent.get(recipient) ?? [];
    if (!own) return null;
    const content = composeReminderMail([own, ...more], { ...context, isMember: recipient.isMember });
    return { content, incidentIds: idsOf([own, ...more]) };
  });
  await queueAlertPushes(tx, services, { organizationId: id, recipients }, (recipient) => {
    const [own, ...more] = all.filter(({ incidentId }) => isReminded(recipient, notified.get(incidentId)));
    if (!own) return null;
    const content = composeReminderMail([own, ...more], { ...context, appUrl: '' });
    const incidentIds = idsOf([own, ...more]);
    return { content, incidentIds, about: incidentIds };
  });
}

const idsOf = (reminders: readonly Pick<Reminder, 'incidentId'>[]) =>
  reminders.map(({ incidentId }) => incidentId);

/** As notices that are already mailed: the next reminder and the page of the incident count from them. */
async function writeReminders(
  tx: Transaction,
  { organizationId, due, now }: { organizationId: string; due: DueIncident[]; now: Date },
): Promise<void> {
  const monitorIds = due.map(({ monitorId }) => monitorId);
  const names = due.map(({ monitorName }) => monitorName);
  const incidentIds = idsOf(due);
  await tx.$executeRaw`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, incident_id, occurred_at, mailed_at)
    SELECT ${organizationId}, 'incident.reminder', one.*, ${now}, ${now}
      FROM unnest(${monitorIds}::text[], ${names}::text[], ${incidentIds}::text[]) AS one`;
}
