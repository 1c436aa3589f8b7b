import { formatTransition } from '@/components/monitors/history/transition-texts';
import { evidenceHref } from '@/components/monitors/monitor-href';
import { nameRegionWithin, type RegionNames } from '@/components/monitors/regions/name-region';
import { formatElapsed } from '@/lib/core/time/duration';
import type { SentDelivery, SentEmail, TimelineEntry } from '@/lib/domain/timelines/timeline-entry';
import { monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';

/** A line of a timeline: `text` may be published; `details` may name people, endpoints and errors. A link is in the text only without details. */
export type TimelineLine = { text: string; href?: string; details: TimelineDetail[] };
export type TimelineDetail = { text: string; href?: string; isFailure?: boolean };

const WHOLE_VIEW = monitorViewSchema.parse({});

const EDITS: Readonly<Record<string, string>> = {
  'monitor.create': 'was created',
  'monitor.update': 'was edited',
  'incident.update': 'was edited',
};

/** By the kind of the notice. */
const EMAILS: Readonly<Record<string, string>> = {
  'monitor.down': 'Outage',
  'monitor.up': 'Recovery',
  'monitor.flapping': 'Flapping',
  'monitor.steady': 'End of flapping',
  'incident.reminder': 'Reminder',
};

const SUBSCRIBER_EMAILS: Readonly<Record<string, string>> = {
  'incident.created': 'the incident',
  'incident.updated': 'an update',
  'incident.resolved': 'the resolution',
};

/** What a timeline says about an entry. */
export function describeEntry(entry: TimelineEntry, names: RegionNames = {}): TimelineLine {
  switch (entry.kind) {
    case 'marker':
      return { text: entry.title, ...(entry.url !== null && { href: entry.url }), details: [] };
    case 'edit': {
      const { subject, action, fields, by } = entry;
      const what = fields.length > 0 ? `: ${fields.join(', ')}` : '';
      return { text: `${subject} ${EDITS[action] ?? action}${what}`, details: [{ text: `By ${by}` }] };
    }
    case 'failures':
      return describeFailures(entry, names);
    case 'transition': {
      const { title, why, votes, backdated } = formatTransition(entry.transition, names);
      const details = [why, ...votes, backdated].filter((text) => text !== null);
      return {
        text: `${entry.monitor.name}: ${lowerFirst(title)}`,
        details: details.map((text) => ({ text })),
      };
    }
    case 'acknowledgement':
      return {
        text: entry.isWithdrawn ? 'Acknowledgement withdrawn' : 'Acknowledged',
        details: [{ text: `By ${entry.by}` }],
      };
    case 'event':
      return {
        text: `${entry.event} delivered to ${countDone(entry.deliveries, isDelivered, 'channel')}`,
        details: entry.deliveries.map((delivery) => describeDelivery(delivery, entry.at)),
      };
    case 'emails':
      return {
        text: `${EMAILS[entry.notice] ?? entry.notice} emailed to ${countDone(entry.emails, isSent, 'member')}`,
        details: entry.emails.map((email) => describeEmail(email, entry.at)),
      };
    case 'suppression':
      return {
        text: `No alerts sent: ${entry.cause.name} was down`,
        details: [{ text: 'This monitor depends on it', href: `/monitors/${entry.cause.id}` }],
      };
    case 'flapping':
      return {
        text: `${entry.monitor.name}: flapping, so no alerts were sent for individual changes`,
        details: [
          {
            text:
              entry.until === null
                ? 'Ongoing'
                : `For ${formatElapsed(entry.until.getTime() - entry.at.getTime())}`,
          },
        ],
      };
    case 'publication':
      return { text: `Published on ${entry.page}`, details: [] };
    case 'subscribers':
      return {
        text: `Subscribers of ${entry.page} emailed ${SUBSCRIBER_EMAILS[entry.event] ?? entry.event}`,
        details: [],
      };
  }
}

type Failures = Extract<TimelineEntry, { kind: 'failures' }>;

function describeFailures(
  { at, until, monitor, region, checks, hasMore, error, evidenceId }: Failures,
  names: RegionNames,
) {
  const from = region === null ? '' : ` from ${nameRegionWithin(names, region)}`;
  const lasted = formatElapsed(until.getTime() - at.getTime());
  const total = hasMore ? `At least ${checks.toLocaleString('en')}` : checks;
  return {
    text: `${monitor.name}: first failed check${from}`,
    details: [
      ...(error === null ? [] : [{ text: error }]),
      ...(checks > 1 ? [{ text: `${total} failed checks in ${lasted}` }] : []),
      ...(evidenceId === null ? [] : [{ text: 'View evidence', href: hrefOf(monitor.id, evidenceId) }]),
    ],
  };
}

function describeDelivery({ id, description, host, status, attempts, settledAt }: SentDelivery, at: Date) {
  const tried =
    status === 'delivered' && attempts === 1
      ? ''
      : ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return {
    text: `${description ?? host ?? 'Deleted channel'}: ${status}${tried}${formatDelay(at, settledAt)}`,
    href: `/notifications/deliveries/${id}`,
    isFailure: status === 'failed',
  };
}

function describeEmail({ recipient, sentAt, error }: SentEmail, at: Date) {
  if (error !== null) return { text: `${recipient}: failed: ${error}`, isFailure: true };
  return { text: `${recipient}: ${sentAt === null ? 'pending' : `sent${formatDelay(at, sentAt)}`}` };
}

/** `, 12s later`; nothing within a second. */
function formatDelay(at: Date, settledAt: Date | null): string {
  const ms = settledAt === null ? 0 : settledAt.getTime() - at.getTime();
  return ms < 1000 ? '' : `, ${formatElapsed(ms)} later`;
}

function hrefOf(monitorId: string, evidence: string): string {
  return evidenceHref(monitorId, { ...WHOLE_VIEW, evidence });
}

const isDelivered = ({ status }: SentDelivery) => status === 'delivered';
const isSent = ({ sentAt }: SentEmail) => sentAt !== null;

/** `3 members`, `1 of 3 members`. */
function countDone<Item>(items: readonly Item[], isDone: (item: Item) => boolean, noun: string): string {
  const done = items.filter(isDone).length;
  const total = `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;
  return done === items.length ? total : `${done} of ${total}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
