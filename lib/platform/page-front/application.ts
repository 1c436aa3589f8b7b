// What the application behind the front marks for it and tells it; public, like index.ts (README.md says why).
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';

/** In an answer that everybody may get: the id of the page it shows, by which it is purged. Never sent to anybody. */
export const TAG_HEADER = 'x-pharos-cache-tag';

/** Where our server tells the application that nobody waits for this answer, so that nobody's limit counts it. */
export const REFRESH_HEADER = 'x-pharos-refresh';

/** Where our server tells the application that a page is asked for on its own domain: links are relative to `/`. */
export const PAGE_HOST_HEADER = 'x-pharos-page-host';

/** Where a page wants the note that it could not be verified; one that has none of these stays as it is. */
export const STALE_MARK = '<!--pharos:stale-->';

/**
 * What changed of what status pages show. `changed` pages look different now; `gone` ones are no more what they were: not
 * published, deleted, or at another address. `all`: nobody counted.
 */
export type PageChange = { kind: 'all' } | { kind: 'pages'; changed: string[]; gone: string[] };

/** Stands for all pages. */
const ALL_PAGES = '*';

const GONE = '-';

/** How one page that is gone is written in a notification. */
function goneMark(pageId: string): string {
  return `${GONE}${pageId}`;
}

/** Reads the text of a notification. */
export function parsePageChange(payload: string): PageChange {
  if (payload === ALL_PAGES) return { kind: 'all' };
  const marks = payload.split(',').filter((mark) => mark !== '');
  return {
    kind: 'pages',
    changed: marks.filter((mark) => !mark.startsWith(GONE)),
    gone: marks.filter((mark) => mark.startsWith(GONE)).map((mark) => mark.slice(GONE.length)),
  };
}

/** Which pages show what a transaction changes. */
export type ChangedPages =
  | { monitorIds: readonly string[] }
  | { pageIds: readonly string[] }
  | { organizationId: string };

/** So many ids of 29 letters are short of the 8,000 bytes that a notification may have. */
const MAX_NAMED = 200;

/**
 * Tells every web process, at commit, that it must not show what it kept of some pages. Call it in the transaction that
 * changes what they show, before a monitor on them is deleted; in one statement however many monitors.
 */
export async function notePagesChanged(tx: Transaction, changed: ChangedPages): Promise<void> {
  if ('monitorIds' in changed && changed.monitorIds.length === 0) return;
  await tx.$executeRaw`
    SELECT pg_notify('pharos_pages',
                     CASE WHEN count(*) > ${MAX_NAMED} THEN ${ALL_PAGES} ELSE string_agg(page.id, ',') END)
      FROM (${selectPages(changed)}) AS page (id)
    HAVING count(*) > 0`;
}

function selectPages(changed: ChangedPages): Prisma.Sql {
  if ('pageIds' in changed) return Prisma.sql`SELECT unnest(${[...changed.pageIds]}::text[])`;
  if ('organizationId' in changed) {
    return Prisma.sql`SELECT id FROM status_page WHERE organization_id = ${changed.organizationId}`;
  }
  return Prisma.sql`
    SELECT DISTINCT page_id FROM status_page_monitor WHERE monitor_id = ANY(${[...changed.monitorIds]})`;
}

/**
 * Tells every web process, at commit, to forget a page and to learn anew which domains are served: it is deleted or no
 * longer published, or has another slug or domain, or its domain was verified or is verified no more.
 */
export async function notePageMoved(tx: Transaction, pageId: string): Promise<void> {
  await notify(tx, 'pharos_pages', goneMark(pageId));
  await notify(tx, 'pharos_domains');
}
