// Headers and notifications of the application behind the front; public, like index.ts (README.md explains why).
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';

export { findPagePath } from './hosts/page-paths';

/** In a public response: the id of its page, for purging. Never sent to visitors. */
export const TAG_HEADER = 'x-pharos-cache-tag';

/** In a response that only our cache may keep: its Cache-Control for that. Never sent to visitors. */
export const KEPT_HEADER = 'x-pharos-kept';

/** Set by our server on a request of a visit that it has counted: it does not count toward a rate limit again. */
export const REFRESH_HEADER = 'x-pharos-refresh';

/**
 * Set by our server when the response is for every visitor: only what anyone may see. That of a private page is marked with
 * `PRIVATE_HEADER`, and then requested again on behalf of the visitor alone.
 */
export const SHARED_HEADER = 'x-pharos-shared';

/** In a response of a private page: the ID of the page. Never sent to visitors. */
export const PRIVATE_HEADER = 'x-pharos-private';

/** In a response of a private page that admits the visitor: by which of their credentials. */
export const ADMITTED_HEADER = 'x-pharos-admitted-by';

/**
 * In a public document: the paths of its own images on the host of the app. They are kept with it, so that a copy is complete without the
 * database. Never sent to visitors.
 */
export const PARTS_HEADER = 'x-pharos-parts';

/** The cookie with the pass to a private page, on its own path or domain. */
export const PASS_COOKIE = 'pharos.page';

/** Set by our server when a page is requested on its own domain: links are relative to `/`. */
export const PAGE_HOST_HEADER = 'x-pharos-page-host';

/** Where a page shows the note that it could not be verified; pages without it are not changed. */
export const STALE_MARK = '<!--pharos:stale-->';

/** Around the announcement of a page. When it ends follows the first mark, as an ISO instant. */
export const ANNOUNCEMENT_MARKS = { start: '<p id="announcement" data-ends="', end: '</p>' };

/**
 * A change of what status pages show. `changed` pages look different; `gone` ones were unpublished, deleted or moved to
 * another address. `all`: too many to list.
 */
export type PageChange = { kind: 'all' } | { kind: 'pages'; changed: string[]; gone: string[] };

/** All pages. */
const ALL_PAGES = '*';
/** Before the ID of a gone page in a notification. */
const GONE = '-';

/** Parses the text of a notification. */
export function parsePageChange(payload: string): PageChange {
  if (payload === ALL_PAGES) return { kind: 'all' };
  const marks = payload.split(',').filter((mark) => mark !== '');
  return {
    kind: 'pages',
    changed: marks.filter((mark) => !mark.startsWith(GONE)),
    gone: marks.filter((mark) => mark.startsWith(GONE)).map((mark) => mark.slice(GONE.length)),
  };
}

/** The pages that show what a transaction changes. */
type ChangedPages =
  | 'all'
  | { monitorIds: readonly string[] }
  | { pageIds: readonly string[] }
  | { organizationId: string };

/** This many ids of 29 characters stay below the 8,000 bytes of a notification. */
const MAX_NAMED = 200;

/**
 * Notifies every web process, at commit, to purge these pages. Call it in the transaction that changes what they show,
 * before deleting a monitor on them; a single statement for all monitors.
 */
export async function notePagesChanged(tx: Transaction, changed: ChangedPages): Promise<void> {
  if (changed === 'all') return notify(tx, 'pharos_pages', ALL_PAGES);
  if ('monitorIds' in changed && changed.monitorIds.length === 0) return;
  if ('pageIds' in changed && changed.pageIds.length === 0) return;
  await tx.$executeRaw`
    SELECT pg_notify('pharos_pages',
                     CASE WHEN count(*) > ${MAX_NAMED} THEN ${ALL_PAGES} ELSE string_agg(page.id, ',') END)
      FROM (${selectPages(changed)}) AS page (id)
    HAVING count(*) > 0`;
}

function selectPages(changed: Exclude<ChangedPages, 'all'>): Prisma.Sql {
  if ('pageIds' in changed) return Prisma.sql`SELECT unnest(${[...changed.pageIds]}::text[])`;
  if ('organizationId' in changed) {
    return Prisma.sql`SELECT id FROM status_page WHERE organization_id = ${changed.organizationId}`;
  }
  return Prisma.sql`
    SELECT DISTINCT page_id FROM status_page_monitor WHERE monitor_id = ANY(${[...changed.monitorIds]})`;
}

/**
 * Notifies every web process, at commit, to drop a page and reload the served domains: it was deleted, unpublished, or
 * moved to another slug or domain, or the verification of its domain changed.
 */
export async function notePageMoved(tx: Transaction, pageId: string): Promise<void> {
  await notify(tx, 'pharos_pages', `${GONE}${pageId}`);
  await notify(tx, 'pharos_domains');
}
