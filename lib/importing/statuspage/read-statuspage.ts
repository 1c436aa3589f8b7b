import { invalidState } from '@/lib/core/errors';
import { emailAddress } from '@/lib/schemas/email-address';
import { MAX_PAGE_MONITORS } from '@/lib/schemas/status-pages/sections';
import { countOf, leftBehind } from '../plan/sentences';
import { convertPage, type ImportedPage, type ImportedRow } from './convert-page';
import { type ListedSubscriber, readStatuspageFile, type StatuspageFile } from './statuspage-file';

export type PageImport = {
  page: ImportedPage;
  rows: ImportedRow[];
  /** Subscribers by email, as a CSV for the import of subscribers; null if the file has none. */
  subscribers: string | null;
  /** What else the file contains and is not imported, as sentences. */
  notes: string[];
};

/**
 * Turns responses of Statuspage's API into a status page for a file of resources, and its subscribers into a CSV. Its components
 * become rows without a monitor. Throws VALIDATION_ERROR, with a sentence on what to do, and PAYLOAD_TOO_LARGE.
 */
export function readStatuspage(file: Uint8Array): PageImport {
  const read = readStatuspageFile(file);
  if (read.components.length > MAX_PAGE_MONITORS)
    throw invalidState(`The page has more than ${MAX_PAGE_MONITORS.toLocaleString('en')} components.`);
  const { page, rows } = convertPage(read);
  const { csv, unknown } = writeSubscribers(read, rows);
  return { page, rows, subscribers: csv, notes: noteOthers(read, csv !== null, unknown) };
}

const isReached = ({ mode, email, quarantined_at: quarantined }: ListedSubscriber) =>
  mode === 'email' && emailAddress.safeParse(email).success && quarantined === null;

/** A line per address. One that chose only components that are not on the page is left out: it would get everything. */
function writeSubscribers(
  { components, subscribers }: StatuspageFile,
  rows: readonly ImportedRow[],
): { csv: string | null; unknown: number } {
  const names = new Map<string, string[]>(rows.flatMap(({ id, row }) => (row === null ? [] : [[id, [row]]])));
  for (const { id } of components.filter(({ group }) => group === true)) {
    const members = components.filter((component) => component.group_id === id);
    names.set(
      id,
      members.flatMap((member) => names.get(member.id) ?? []),
    );
  }
  const reached = subscribers.filter(isReached).map(({ email, components: chosen }) => ({
    email,
    isAll: chosen.length === 0,
    rows: [...new Set(chosen.flatMap((id) => names.get(id) ?? []))],
  }));
  const known = reached.filter(({ isAll, rows: chosen }) => isAll || chosen.length > 0);
  const lines = known.map(({ email, rows: chosen }) => [email, chosen.join('; ')].map(quote).join(','));
  return {
    csv: lines.length === 0 ? null : `${['email,rows', ...lines].join('\n')}\n`,
    unknown: reached.length - known.length,
  };
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function noteOthers(
  { page, subscribers, incidents, maintenances }: StatuspageFile,
  hasSubscribers: boolean,
  unknown: number,
): string[] {
  const byEmail = subscribers.filter(({ mode }) => mode === 'email');
  const failed = byEmail.length - byEmail.filter(isReached).length;
  return [
    ...(hasSubscribers
      ? ['Pharos emails each subscriber a link to confirm the subscription, and nothing else before.']
      : []),
    ...(unknown > 0
      ? [`${countOf(unknown, 'subscriber')} of components that are not on the page left out.`]
      : []),
    ...leftBehind(failed, 'subscriber whose emails failed', 'subscribers whose emails failed'),
    ...leftBehind(
      subscribers.length - byEmail.length,
      'subscriber by SMS, webhook or chat',
      'subscribers by SMS, webhook or chat',
    ),
    ...leftBehind(incidents, 'incident'),
    ...leftBehind(maintenances, 'maintenance window'),
    ...(page.domain === null ? [] : ['The domain is not imported. Set it in Pharos once it points there.']),
  ];
}
