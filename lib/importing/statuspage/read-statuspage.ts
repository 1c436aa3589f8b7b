import { stringify } from 'csv-stringify/sync';
import { invalidState } from '@/lib/core/errors';
import { emailAddress } from '@/lib/schemas/email-address';
import { MAX_PAGE_MONITORS } from '@/lib/schemas/status-pages/sections';
import { countOf, leftBehind } from '../plan/sentences';
import { convertIncidents, type IncidentList, isMaintenance } from './convert-incidents';
import { convertPage, type ImportedPage, type ImportedRow } from './convert-page';
import { type ListedSubscriber, readStatuspageFile, type StatuspageFile } from './statuspage-file';

/** Those who confirmed, and those who did not or whose emails failed; null without any. */
export type SubscriberLists = { confirmed: string | null; unconfirmed: string | null };

export type PageImport = {
  page: ImportedPage;
  rows: ImportedRow[];
  /** Subscribers by email, as CSVs for the import of subscribers. */
  subscribers: SubscriberLists;
  /** Past incidents, for `pharos incidents import`. */
  incidents: IncidentList;
  /** What else the file contains and is not imported, as sentences. */
  notes: string[];
};

/**
 * Turns responses of Statuspage's API into a status page for a file of resources, its subscribers into CSVs, and its incidents into a list for
 * an import. Its components become rows without a monitor. Throws VALIDATION_ERROR, with a sentence on what to do, and PAYLOAD_TOO_LARGE.
 */
export function readStatuspage(file: Uint8Array): PageImport {
  const read = readStatuspageFile(file);
  if (read.components.length > MAX_PAGE_MONITORS)
    throw invalidState(`The page has more than ${MAX_PAGE_MONITORS.toLocaleString('en')} components.`);
  const { page, rows } = convertPage(read);
  const byEmail = read.subscribers.filter(isByEmail);
  const confirmed = writeSubscribers(read, rows, byEmail.filter(isConfirmed));
  const unconfirmed = writeSubscribers(
    read,
    rows,
    byEmail.filter((subscriber) => !isConfirmed(subscriber)),
  );
  const subscribers = { confirmed: confirmed.csv, unconfirmed: unconfirmed.csv };
  const notes = [
    ...noteSubscribers(read, subscribers),
    ...noteOthers(read, confirmed.unknown + unconfirmed.unknown),
  ];
  return { page, rows, subscribers, incidents: convertIncidents(read, rows), notes };
}

const isByEmail = ({ mode, email }: ListedSubscriber) =>
  mode === 'email' && emailAddress.safeParse(email).success;

/** The API has no field for it: without a filter by state, it lists only those who confirmed. */
const isConfirmed = ({ state, quarantined_at: quarantined, purge_at: purge }: ListedSubscriber) =>
  (state ?? 'active') === 'active' && quarantined === null && purge === null;

/** A line per address. One that chose only components that are not on the page is left out: it would get everything. */
function writeSubscribers(
  { components }: StatuspageFile,
  rows: readonly ImportedRow[],
  subscribers: readonly ListedSubscriber[],
): { csv: string | null; unknown: number } {
  const names = new Map<string, string[]>(rows.flatMap(({ id, row }) => (row === null ? [] : [[id, [row]]])));
  for (const { id } of components.filter(({ group }) => group === true)) {
    const members = components.filter((component) => component.group_id === id);
    names.set(
      id,
      members.flatMap((member) => names.get(member.id) ?? []),
    );
  }
  const reached = subscribers.map(({ email, components: chosen }) => ({
    email,
    isAll: chosen.length === 0,
    rows: [...new Set(chosen.flatMap((id) => names.get(id) ?? []))],
  }));
  const known = reached.filter(({ isAll, rows: chosen }) => isAll || chosen.length > 0);
  const lines = known.map(({ email, rows: chosen }) => [email, chosen.join('; ')]);
  return {
    // Not for a spreadsheet: names of rows must stay as they are.
    csv: lines.length === 0 ? null : stringify([['email', 'rows'], ...lines]),
    unknown: reached.length - known.length,
  };
}

function noteSubscribers(
  { subscribers }: StatuspageFile,
  { confirmed, unconfirmed }: SubscriberLists,
): string[] {
  const listed = subscribers.filter(isByEmail);
  const others = listed.filter((subscriber) => !isConfirmed(subscriber)).length;
  const isStated = listed.filter(isConfirmed).every(({ state }) => state !== null);
  return [
    ...(confirmed === null
      ? []
      : [
          'Import the confirmed subscribers as confirmed. Otherwise, Pharos emails each a link to confirm again.',
        ]),
    ...(confirmed === null || isStated
      ? []
      : ["The file does not state who confirmed. Without state, Statuspage's API lists only those who did."]),
    ...(unconfirmed === null
      ? []
      : [
          `${countOf(others, 'subscriber')} did not confirm, or emails to them failed: --subscribers unconfirmed prints them.`,
        ]),
  ];
}

function noteOthers({ page, subscribers, incidents }: StatuspageFile, unknown: number): string[] {
  const byEmail = subscribers.filter(({ mode }) => mode === 'email');
  const past = incidents.filter((incident) => !isMaintenance(incident)).length;
  const invalid = byEmail.length - byEmail.filter(isByEmail).length;
  return [
    ...(unknown > 0
      ? [`${countOf(unknown, 'subscriber')} of components that are not on the page left out.`]
      : []),
    ...leftBehind(invalid, 'subscriber without a valid address', 'subscribers without a valid address'),
    ...leftBehind(
      subscribers.length - byEmail.length,
      'subscriber by SMS, webhook or chat',
      'subscribers by SMS, webhook or chat',
    ),
    ...(past > 0 ? [`The file has ${countOf(past, 'incident')}: --incidents prints those that ended.`] : []),
    ...leftBehind(incidents.length - past, 'maintenance window'),
    ...(page.domain === null ? [] : ['The domain is not imported. Set it in Pharos once it points there.']),
  ];
}
