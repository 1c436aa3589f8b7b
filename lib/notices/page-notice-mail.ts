import type { MailBlock, MailContent, MailLine } from '@/lib/mail/mail-content';
import { oneLine } from '@/lib/mail/one-line';
import { formatMoment } from './format-moment';
import type { NewPageNotice } from './write-page-notices';

/** A notice as it waits for one page: `monitors` are the names of those affected that the page shows. */
export type PageNotice = Omit<NewPageNotice, 'organizationId' | 'monitorIds'> & { monitors: string[] };

/** A list that is longer goes on with "and N more". */
const MOST_LINES = 50;
const MOST_TITLE = 120;
const MOST_NAME = 80;
const MOST_NAMES = 20;
const MOST_DETAIL = 400;

const HEADINGS = {
  'incident.created': 'New incidents',
  'incident.updated': 'Updated incidents',
  'incident.resolved': 'Resolved incidents',
  'maintenance.started': 'Maintenance in progress',
  'maintenance.finished': 'Maintenance that is over',
  'maintenance.planned': 'Planned maintenance',
} as const satisfies Record<PageNotice['kind'], string>;

const STATUSES = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
} as const satisfies Record<NonNullable<PageNotice['status']>, string>;

type Page = {
  name: string;
  /** Where the public reads the page, without a slash at the end. */
  address: string;
};

/** An incident or a window with all that was noticed of it, in order; `kind` is what it is news as. */
type Subject = { kind: PageNotice['kind']; latest: PageNotice; notices: PageNotice[] };

/**
 * The one mail that tells subscribers of a page of notices, in the order in which they were written; there has to be one.
 * The link that ends a subscription is the caller's to add.
 */
export function composePageMail(notices: PageNotice[], page: Page): MailContent {
  const subjects = sumUp(notices);
  const [only] = subjects;
  const name = oneLine(page.name, MOST_NAME);
  const told = only !== undefined && subjects.length === 1 ? tellOne(only, page) : tellMany(subjects, page);
  return {
    ...told,
    subject: `${name}: ${told.subject}`,
    footnote: `You get this mail because this address subscribed to the status page of ${name}.`,
  };
}

function sumUp(notices: PageNotice[]): Subject[] {
  const bySubject = new Map<string, PageNotice[]>();
  for (const notice of notices) {
    const { subjectId } = notice;
    bySubject.set(subjectId, [...(bySubject.get(subjectId) ?? []), notice]);
  }
  return [...bySubject.values()].flatMap((own) => {
    const latest = own.at(-1);
    if (latest === undefined) return [];
    const isNew = latest.kind === 'incident.updated' && own.some(({ kind }) => kind === 'incident.created');
    return [{ kind: isNew ? 'incident.created' : latest.kind, latest, notices: own }];
  });
}

function tellOne({ latest, notices }: Subject, page: Page): MailContent {
  const title = oneLine(latest.title, MOST_TITLE);
  const affected = latest.monitors.length === 0 ? [] : [{ paragraph: `Affected: ${listNames(latest)}` }];
  if (latest.status === null) {
    return {
      subject: `${MAINTENANCE[latest.kind] ?? 'maintenance'}: ${title}`,
      blocks: [
        { paragraph: describeSpan(latest) },
        ...(latest.message === '' ? [] : [{ paragraph: latest.message }]),
        ...affected,
      ],
      button: { label: 'Open the status page', url: page.address },
    };
  }
  return {
    subject: `${title} (${STATUSES[latest.status].toLowerCase()})`,
    preheader: oneLine(latest.message, 200),
    blocks: [
      ...notices
        .toReversed()
        .flatMap(({ status, message, occurredAt }): MailBlock[] => [
          { heading: `${status === null ? '' : STATUSES[status]}, ${formatMoment(occurredAt)}` },
          { paragraph: message },
        ]),
      ...affected,
    ],
    button: { label: 'Open the incident', url: incidentUrl(latest, page) },
  };
}

const MAINTENANCE: Partial<Record<PageNotice['kind'], string>> = {
  'maintenance.planned': 'planned maintenance',
  'maintenance.started': 'maintenance has begun',
  'maintenance.finished': 'maintenance is over',
};

function tellMany(subjects: Subject[], page: Page): MailContent {
  const incidents = subjects.filter(({ latest }) => latest.status !== null).length;
  const windows = subjects.length - incidents;
  const parts = [
    ...(incidents > 0 ? [count(incidents, 'incident', 'incidents')] : []),
    ...(windows > 0 ? [count(windows, 'maintenance window', 'maintenance windows')] : []),
  ];
  return {
    subject: `news of ${parts.join(' and ')}`,
    preheader: subjects
      .slice(0, MOST_LINES)
      .map(({ latest }) => oneLine(latest.title, MOST_TITLE))
      .join(', '),
    blocks: Object.entries(HEADINGS).flatMap(([kind, heading]) =>
      section(
        heading,
        subjects.filter((subject) => subject.kind === kind),
        page,
      ),
    ),
    button: { label: 'Open the status page', url: page.address },
  };
}

function section(heading: string, subjects: Subject[], page: Page): MailBlock[] {
  if (subjects.length === 0) return [];
  const lines = subjects.slice(0, MOST_LINES).map(({ latest }): MailLine => {
    const isIncident = latest.status !== null;
    return {
      text: oneLine(latest.title, MOST_TITLE),
      detail: oneLine(isIncident ? latest.message : describeSpan(latest), MOST_DETAIL),
      url: isIncident ? incidentUrl(latest, page) : page.address,
    };
  });
  const left = subjects.length - lines.length;
  const more = left > 0 ? [{ text: `and ${left} more` }] : [];
  return [{ heading: `${heading} (${subjects.length})` }, { list: [...lines, ...more] }];
}

function describeSpan({ startsAt, endsAt }: PageNotice): string {
  if (startsAt === null || endsAt === null) return '';
  return `From ${formatMoment(startsAt)} to ${formatMoment(endsAt)}.`;
}

function listNames({ monitors }: PageNotice): string {
  const names = monitors.slice(0, MOST_NAMES).map((name) => oneLine(name, MOST_NAME));
  const left = monitors.length - names.length;
  return `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function incidentUrl({ subjectId }: PageNotice, { address }: Page): string {
  return `${address}/incidents/${subjectId}`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
