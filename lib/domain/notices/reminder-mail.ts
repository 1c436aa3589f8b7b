import { formatDuration, formatElapsed, formatMinute } from '@/lib/core/time/duration';
import { type MailContent, type MailFact, oneLine } from '@/lib/platform/mail/queue-mail';
import { button, memberFootnote, recipientFootnote, section } from './notice-mail';
import { formatError, MAX_NAME, MAX_TARGET } from './notice-texts';

/** An incident to remind of: the monitor that opened it is still down, and nobody has acknowledged it. */
export type Reminder = {
  incidentId: string;
  monitorName: string;
  /** What is checked; empty for a heartbeat. */
  target: string;
  /** The cause that members were emailed; null if unknown. */
  error: string | null;
  startedAt: Date;
  /** Whether no further reminder follows. */
  isLast: boolean;
};

type Context = {
  organizationName: string;
  /** APP_URL; null: the email has no links. */
  appUrl: string | null;
  /** Whether the reader can sign in; otherwise the email has no links to the dashboard. */
  isMember?: boolean;
  /** The time between two reminders. */
  minutes: number;
  now: Date;
};

/** The email that reminds a member or an email recipient of one or more incidents, given in the order in which they began. */
export function composeReminderMail(
  reminders: [Reminder, ...Reminder[]],
  { organizationName, appUrl, minutes, now, isMember = true }: Context,
): MailContent {
  const link = (path: string) => (appUrl === null || !isMember ? undefined : `${appUrl}${path}`);
  const [first, ...others] = reminders;
  const isSingle = others.length === 0;
  const isLast = reminders.every((reminder) => reminder.isLast);
  const footnote = isMember ? memberFootnote(organizationName) : recipientFootnote(organizationName);
  const next = { paragraph: formatNext({ isSingle, isLast, minutes }) };
  if (isSingle) {
    const standing = `It has been ${formatStanding(first, now)}`;
    return {
      subject: `${nameOf(first)} is still down`,
      preheader: standing,
      blocks: [{ list: listStanding(first, now) }, next],
      ...button('View incident', link(`/incidents/${first.incidentId}`)),
      footnote,
    };
  }
  const list = section('Still down', reminders, (reminder) => ({
    text: nameOf(reminder),
    detail: formatStanding(reminder, now),
    url: link(`/incidents/${reminder.incidentId}`),
  }));
  return {
    subject: `${reminders.length} monitors are still down`,
    preheader: reminders.slice(0, MAX_NAMED).map(nameOf).join(', '),
    blocks: [...list, next],
    ...button('View incidents', link('/incidents')),
    footnote,
  };
}

/** More do not fit next to a subject. */
const MAX_NAMED = 10;

function formatNext({ isSingle, isLast, minutes }: { isSingle: boolean; isLast: boolean; minutes: number }) {
  const [incident, it, monitor] = isSingle
    ? ['its incident', 'it', 'the monitor recovers']
    : ['these incidents', 'them', 'the monitors recover'];
  const nobody = `Nobody has acknowledged ${incident}.`;
  if (isLast) return `${nobody} This is the last reminder.`;
  return `${nobody} Reminders follow every ${formatElapsed(minutes * 60_000)} until someone acknowledges ${it} or ${monitor}.`;
}

function formatStanding({ startedAt, error }: Reminder, now: Date): string {
  const elapsed = formatDuration(Math.max(0, now.getTime() - startedAt.getTime()));
  return `down for ${elapsed}: ${formatError({ error })}`;
}

function listStanding({ startedAt, error, target }: Reminder, now: Date): MailFact[] {
  const elapsed = formatElapsed(Math.max(0, now.getTime() - startedAt.getTime()));
  return [
    { text: 'Cause', detail: formatError({ error }) },
    ...(target === '' ? [] : [{ text: 'Target', detail: oneLine(target, MAX_TARGET) }]),
    { text: 'Since', detail: `${formatMinute(startedAt)}, for ${elapsed}` },
  ];
}

function nameOf({ monitorName }: Reminder): string {
  return oneLine(monitorName, MAX_NAME);
}
