/**
 * What changed of what status pages show. `changed` pages look different now; `gone` ones are no more what they were: not
 * published, deleted, or at another address. `all`: nobody counted.
 */
export type PageChange = { kind: 'all' } | { kind: 'pages'; changed: string[]; gone: string[] };

/** Stands for all pages. */
export const ALL_PAGES = '*';

const GONE = '-';

/** How one page that is gone is written in a notification. */
export function goneMark(pageId: string): string {
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
