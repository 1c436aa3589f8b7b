/** A whole answer of the application, uncompressed; header names in lower case. */
export type CapturedAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

/** In an answer that everybody may get: the id of the page it shows, by which it is purged. Never sent to anybody. */
export const TAG_HEADER = 'x-pharos-cache-tag';

/** Where our server tells the application that nobody waits for this answer, so that nobody's limit counts it. */
export const REFRESH_HEADER = 'x-pharos-refresh';

/** Where our server tells the application that a page is asked for on its own domain: links are relative to `/`. */
export const PAGE_HOST_HEADER = 'x-pharos-page-host';
