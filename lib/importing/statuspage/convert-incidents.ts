import { storableText } from '@/lib/core/storable-text';
import type { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { nameText, refText } from '@/lib/schemas/text';
import { countOf, leftBehind } from '../plan/sentences';
import type { ImportedRow } from './convert-page';
import { htmlToMarkdown, htmlToText } from './html-text';
import type { IncidentRecord, StatuspageFile } from './statuspage-file';

/** The author of imported updates. */
const SOURCE = 'Statuspage';
const MAX_REF = 200;
const MAX_TITLE = 200;
const MAX_MESSAGE = 5000;
const MAX_POSTMORTEM = 20_000;
const MAX_UPDATES = 100;
/** Of an import. */
const MAX_ROWS = 1000;

type Severity = (typeof INCIDENT_SEVERITIES)[number];
type Status = (typeof INCIDENT_STATUSES)[number];
type Update = { status: Status; message: string; createdAt: string };

/** A past incident as `POST /status-pages/:slug/incidents/import` takes it. */
export type IncidentBody = {
  ref: string;
  title: string;
  severity: Severity;
  startedAt: string;
  resolvedAt: string;
  rows: string[];
  impacts: Record<string, Severity>;
  updates: Update[];
  postmortem: string | null;
};

/** Past incidents for `pharos incidents import`, the newest first because their number is limited, and what is left out or different, as sentences. */
export type IncidentList = { source: string; incidents: IncidentBody[]; notes: string[] };

/** Why an incident is left out. */
type LeftOut = 'maintenance' | 'open' | 'elsewhere' | 'incomplete';
type Changes = { cutTexts: number; droppedUpdates: number; drafts: number; withoutImpact: number };

/** The incidents of a file that ended and affected rows of its page. */
export function convertIncidents({ incidents }: StatuspageFile, rows: readonly ImportedRow[]): IncidentList {
  const names = new Map(rows.flatMap(({ id, row }) => (row === null ? [] : [[id, row]])));
  const leftOut = { maintenance: 0, open: 0, elsewhere: 0, incomplete: 0 };
  const changes = { cutTexts: 0, droppedUpdates: 0, drafts: 0, withoutImpact: 0 };
  const bodies: IncidentBody[] = [];
  for (const incident of incidents) {
    const converted = convertIncident(incident, names, changes);
    if (typeof converted === 'string') leftOut[converted] += 1;
    else bodies.push(converted);
  }
  return {
    source: SOURCE,
    incidents: bodies.toSorted((one, other) => other.startedAt.localeCompare(one.startedAt)),
    notes: noteIncidents(leftOut, changes),
  };
}

/** Scheduled maintenance is among the incidents of the API, with states of its own. */
export const isMaintenance = ({ impact, status }: IncidentRecord): boolean =>
  impact === 'maintenance' || ['scheduled', 'in_progress', 'verifying', 'completed'].includes(status);

function convertIncident(
  incident: IncidentRecord,
  names: ReadonlyMap<string, string>,
  changes: Changes,
): IncidentBody | LeftOut {
  const { id, name, status, impact, impact_override: override } = incident;
  if (isMaintenance(incident)) return 'maintenance';
  if (status !== 'resolved' && status !== 'postmortem') return 'open';
  const affected = findAffected(incident, names);
  if (affected.size === 0) return 'elsewhere';
  const times = findTimes(incident);
  const ref = refText.safeParse(storableText(`statuspage-${id}`, MAX_REF)).data;
  if (id === '' || ref === undefined || times === null) return 'incomplete';
  const cut = (text: string, limit: number) => {
    if (text.length > limit) changes.cutTexts += 1;
    return storableText(text, limit).trim();
  };
  if ((override ?? impact) === 'none') changes.withoutImpact += 1;
  const severity = SEVERITIES.get(override ?? impact) ?? 'minor';
  const line = cut(htmlToText(name).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' '), MAX_TITLE);
  const title = nameText(1, MAX_TITLE).safeParse(line).success ? line : 'Incident';
  const { postmortem, updates } = splitPostmortem(incident, changes);
  const kept = updates.slice(-MAX_UPDATES);
  changes.droppedUpdates += updates.length - kept.length;
  const written = kept.map((update) => ({
    ...update,
    message: cut(update.message, MAX_MESSAGE) || LABELS[update.status],
  }));
  return {
    ref,
    title,
    severity,
    ...times,
    rows: [...affected.keys()],
    impacts: Object.fromEntries(
      [...affected].flatMap(([row, own]) => (own === null || own === severity ? [] : [[row, own]])),
    ),
    updates:
      written.length > 0 ? written : [{ status: 'resolved', message: title, createdAt: times.resolvedAt }],
    postmortem: postmortem === null ? null : cut(postmortem, MAX_POSTMORTEM) || null,
  };
}

const SEVERITIES = new Map<string, Severity>([
  ['none', 'minor'],
  ['minor', 'minor'],
  ['major', 'major'],
  ['critical', 'critical'],
]);
const STATUSES = new Map<string, Status>([
  ['investigating', 'investigating'],
  ['identified', 'identified'],
  ['monitoring', 'monitoring'],
  ['verifying', 'monitoring'],
]);
/** From least to most severe. */
const IMPACTS = new Map<string, Severity>([
  ['operational', 'minor'],
  ['under_maintenance', 'minor'],
  ['degraded_performance', 'minor'],
  ['partial_outage', 'major'],
  ['major_outage', 'critical'],
]);
const RANKS: readonly (Severity | null)[] = [null, 'minor', 'major', 'critical'];

/** The rows of the page that an incident affected, each with the severity of its worst state; null if the file has none. */
function findAffected(
  { components, incident_updates: updates }: IncidentRecord,
  names: ReadonlyMap<string, string>,
): Map<string, Severity | null> {
  const affected = new Map<string, Severity | null>();
  const add = (id: string, severity: Severity | null) => {
    const row = names.get(id);
    if (row === undefined) return;
    const known = affected.get(row) ?? null;
    affected.set(row, RANKS.indexOf(severity) > RANKS.indexOf(known) ? severity : known);
  };
  for (const { id } of components) add(id, null);
  for (const { code, new_status: state } of updates.flatMap((update) => update.affected_components))
    add(code, IMPACTS.get(state) ?? null);
  return new Map([...affected].slice(0, MAX_ROWS));
}

/** When it started and ended; null if the file does not have that. */
function findTimes(incident: IncidentRecord): Pick<IncidentBody, 'startedAt' | 'resolvedAt'> | null {
  const { incident_updates: updates } = incident;
  const timesOf = (listed: readonly ListedUpdate[]) =>
    listed
      .map(timeOf)
      .filter((time) => time !== null)
      .toSorted();
  const resolvedAt =
    toInstant(incident.resolved_at) ??
    timesOf(updates.filter(({ status }) => status === 'resolved')).at(-1) ??
    toInstant(incident.updated_at);
  const begun = toInstant(incident.started_at) ?? toInstant(incident.created_at) ?? timesOf(updates)[0];
  if (resolvedAt === null || begun === undefined) return null;
  // Of one that was entered afterwards, some times are those of the entry.
  const [startedAt = begun] = [begun, resolvedAt].toSorted();
  return { startedAt, resolvedAt };
}

type ListedUpdate = IncidentRecord['incident_updates'][number];

const timeOf = ({ display_at: display, created_at: created }: ListedUpdate) =>
  toInstant(display) ?? toInstant(created);

const EARLIEST = '1900-01-01T00:00:00.000Z';
const LATEST = '3000-01-01T00:00:00.000Z';

/** A time in UTC, as all of them sort; null for a text that is none. */
function toInstant(text: string | null): string | null {
  const ms = text !== null && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return null;
  const instant = new Date(ms).toISOString();
  return instant >= EARLIEST && instant < LATEST ? instant : null;
}

/** The updates, oldest first, without that which is the published postmortem. A draft is not for visitors. */
function splitPostmortem(incident: IncidentRecord, changes: Changes) {
  const { incident_updates: listed, postmortem_body: body, postmortem_published_at: publishedAt } = incident;
  const updates = listed
    .flatMap((update) => {
      const createdAt = timeOf(update);
      return createdAt === null ? [] : { ...update, createdAt };
    })
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  const published = updates.findLast(({ status }) => status === 'postmortem');
  const isDraft = publishedAt === null && published === undefined;
  if (body !== null && isDraft) changes.drafts += 1;
  const text = isDraft ? '' : htmlToMarkdown(body ?? published?.body ?? '');
  return {
    postmortem: text === '' ? null : text,
    updates: updates
      .filter((update) => update !== published)
      .map(({ status, body: message, createdAt }): Update => {
        const own = STATUSES.get(status) ?? 'resolved';
        return { status: own, message: htmlToText(message), createdAt };
      }),
  };
}

const LABELS: Record<Status, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

function noteIncidents(leftOut: Record<LeftOut, number>, changes: Changes): string[] {
  const { cutTexts, droppedUpdates, drafts, withoutImpact } = changes;
  const note = (count: number, one: string, sentence: string) =>
    count > 0 ? [`${countOf(count, one)} ${sentence}`] : [];
  return [
    ...note(
      leftOut.open,
      'incident',
      'left out, not resolved there. Create open incidents in the dashboard.',
    ),
    ...note(
      leftOut.elsewhere,
      'incident',
      'left out that affected no component of the page. Pharos shows incidents on rows.',
    ),
    ...note(leftOut.incomplete, 'incident', 'left out without an ID or times.'),
    ...leftBehind(leftOut.maintenance, 'maintenance window'),
    ...note(withoutImpact, 'incident', 'without impact imported as minor.'),
    ...note(
      droppedUpdates,
      'update',
      `left out. An imported incident has at most ${MAX_UPDATES}, the last ones.`,
    ),
    ...note(cutTexts, 'text', 'shortened to the length that Pharos permits.'),
    ...note(drafts, 'unpublished postmortem', 'left out.'),
  ];
}
