import { dateFormat } from '@/lib/core/time/date-format';
import { formatElapsed, formatTiming } from '@/lib/core/time/duration';
import { type MailBlock, type MailContent, type MailLine, oneLine } from '@/lib/platform/mail/queue-mail';
import type { DigestWeek } from '@/lib/schemas/reports/digest-week';
import type { Report, ReportLine } from '@/lib/schemas/reports/report';
import { formatLength, formatUptime } from '@/lib/schemas/reports/report-texts';
import { CERTIFICATE_DAYS, type Digest, type WeekIncidents } from './read-digest';

/** The monitors of each list; the report has all of them. */
const MAX_LINES = 5;
const MAX_NAME = 100;

type Context = Pick<DigestWeek, 'from' | 'to'> & {
  organizationName: string;
  timeZone: string;
  now: Date;
  /** APP_URL; null: the email has no links. */
  appUrl: string | null;
};

type Link = (path: string) => Pick<MailLine, 'url'>;

/** The email with the digest of a week, the same for all members in a time zone. */
export function composeDigestMail(
  { report, incidents, certificates }: Digest,
  context: Context,
): MailContent {
  const { from, to, organizationName, timeZone, now, appUrl } = context;
  const name = oneLine(organizationName, MAX_NAME);
  const link: Link = (path) => (appUrl === null ? {} : { url: `${appUrl}${path}` });
  const known = typeof report === 'string' ? null : report;
  const uptime = known?.total.uptimePercentage ?? null;
  const summary = known === null ? String(report) : formatSummary(known);
  const path = `/reports?${new URLSearchParams({ month: 'days', from, to, timeZone })}`;
  const { url } = link(path);
  return {
    subject: [
      `${name}, ${formatWeek(from, to)}: `,
      uptime === null ? '' : `${formatUptime(uptime)} uptime, `,
      count(incidents.count, 'incident'),
    ].join(''),
    preheader: summary,
    blocks: [
      { paragraph: summary },
      ...(known === null ? [] : section('Lowest uptime', listLowest(known, link))),
      { heading: 'Incidents' },
      ...formatIncidents(incidents, link),
      ...(known === null ? [] : section('Slowest monitors', listSlowest(known, link))),
      ...section(`Certificates that expire within ${CERTIFICATE_DAYS} days`, [
        ...certificates.first.map(({ monitorId, name, endsAt }) => ({
          text: oneLine(name, MAX_NAME),
          detail: formatEnd(endsAt, { timeZone, now }),
          ...link(`/monitors/${monitorId}`),
        })),
        ...listMore(certificates.count - certificates.first.length),
      ]),
    ],
    ...(url === undefined ? {} : { button: { label: 'View report', url } }),
    footnote: `You receive this email because you chose the weekly digest of ${name}.`,
  };
}

/** `Nov 16–22`, `Nov 30 – Dec 6`. */
function formatWeek(from: string, to: string): string {
  const format = dateFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return format.formatRange(new Date(from), new Date(to)).replace(/\u2009/g, ' ');
}

function formatSummary({ total: { monitors, uptimePercentage, outages, downMs } }: Report): string {
  if (uptimePercentage === null) return 'There is no data for this week.';
  const all = monitors === 1 ? 'The monitor' : `${monitors.toLocaleString('en')} monitors`;
  if (outages === 0) return `${all} had no downtime.`;
  const were = monitors === 1 ? 'was' : 'were';
  return `${all} ${were} up ${formatUptime(uptimePercentage)} of the time, with ${formatLength(downMs)} of downtime in ${count(outages, 'outage')}.`;
}

/** The monitors with the lowest uptime, of those that were down. */
function listLowest({ monitors }: Report, link: Link): MailLine[] {
  return monitors
    .filter(({ downMs }) => downMs > 0)
    .toSorted((a, b) => (a.uptimePercentage ?? 0) - (b.uptimePercentage ?? 0) || b.downMs - a.downMs)
    .slice(0, MAX_LINES)
    .map((line) => ({
      ...nameOf(line, link),
      detail: `${formatUptime(line.uptimePercentage)}, ${formatLength(line.downMs)} of downtime in ${count(line.outages, 'outage')}`,
    }));
}

/** The monitors with the longest response times, by the time within which 95% of their checks succeeded. */
function listSlowest({ monitors }: Report, link: Link): MailLine[] {
  return monitors
    .flatMap((line) => {
      const { p50, p95 } = line.responseTime;
      return p50 === null || p95 === null ? [] : [{ line, p50, p95 }];
    })
    .toSorted((a, b) => b.p95 - a.p95 || b.p50 - a.p50)
    .slice(0, MAX_LINES)
    .map(({ line, p50, p95 }) => ({
      ...nameOf(line, link),
      detail: `95% of responses within ${formatTiming(p95)}, half within ${formatTiming(p50)}`,
    }));
}

function formatIncidents({ count: all, open, longest }: WeekIncidents, link: Link): MailBlock[] {
  if (longest === null) return [{ paragraph: 'No incidents began.' }];
  const standing =
    open === 0
      ? 'all of them are resolved'
      : `${open.toLocaleString('en')} ${open === 1 ? 'is' : 'are'} still open`;
  const summary =
    all === 1 ? '1 incident began.' : `${count(all, 'incident')} began; ${standing}. The longest:`;
  const { id, title, lastedMs, isOpen } = longest;
  const lasted = formatElapsed(Math.max(0, lastedMs));
  const detail = isOpen ? `still open, ${lasted} by the end of the week` : `lasted ${lasted}`;
  return [
    { paragraph: summary },
    { list: [{ text: oneLine(title, MAX_NAME), detail, ...link(`/incidents/${id}`) }] },
  ];
}

function formatEnd(endsAt: Date, { timeZone, now }: Pick<Context, 'timeZone' | 'now'>): string {
  const day = dateFormat('en', { dateStyle: 'medium', timeZone }).format(endsAt);
  const days = Math.floor((endsAt.getTime() - now.getTime()) / 86_400_000);
  if (days < 0) return `expired on ${day}`;
  return `expires on ${day}, in ${days === 0 ? 'less than a day' : count(days, 'day')}`;
}

function section(heading: string, list: MailLine[]): MailBlock[] {
  return list.length === 0 ? [] : [{ heading }, { list }];
}

function listMore(left: number): MailLine[] {
  return left > 0 ? [{ text: `and ${left.toLocaleString('en')} more` }] : [];
}

function nameOf({ name, monitorId }: ReportLine, link: Link): Pick<MailLine, 'text' | 'url'> {
  return { text: oneLine(name, MAX_NAME), ...link(`/monitors/${monitorId}`) };
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
