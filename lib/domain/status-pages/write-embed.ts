import type { StatusPage } from '@/lib/schemas/status-page';
import { escapeMarkup } from './markup';
import type { OverallStatus } from './overall-status';
import { PAGE_STATUS_SENTENCES, STATUS_COLOURS } from './status-words';

/** The page's own colours and name, and how it is. */
export type EmbedSource = Pick<StatusPage, 'name' | 'theme'> & {
  status: OverallStatus;
  /** The address of the page. */
  address: string;
};

/** A document and its one style sheet, which a policy can name by its hash. */
export type EmbedDocument = { html: string; style: string };

const REFRESH_SECONDS = 60;

/**
 * A page's status as one line, for an `<iframe>` on any web site: a link to the page, without a script, which loads itself
 * anew every minute.
 */
export function writeEmbed({ name, theme, status, address }: EmbedSource): EmbedDocument {
  const sentence = PAGE_STATUS_SENTENCES[status];
  const style = [
    'html{height:100%}',
    `body{margin:0;height:100%;display:flex;align-items:center;background:${theme.backgroundColor};color:${theme.textColor};font:14px/1.4 system-ui,sans-serif}`,
    'a{display:flex;align-items:center;gap:8px;min-width:0;padding:8px 12px;color:inherit;text-decoration:none}',
    'a:hover strong,a:focus-visible strong{text-decoration:underline}',
    `a:focus-visible{outline:2px solid ${theme.textColor};outline-offset:-2px}`,
    `i{flex:none;width:10px;height:10px;border:1px solid ${theme.textColor};border-radius:50%;background:${STATUS_COLOURS[status]}}`,
    'span{overflow-wrap:anywhere}',
  ].join('');
  const html = writeDocument({
    title: `${name}: ${sentence}`,
    head: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}"><style>${style}</style>`,
    body: `<a href="${escapeMarkup(address)}" target="_blank" rel="noopener"><i aria-hidden="true"></i><span><strong>${escapeMarkup(name)}</strong> ${sentence}</span></a>`,
  });
  return { html, style };
}

const MISSING_STYLE = 'body{font:14px/1.4 system-ui,sans-serif}';

/** What an `<iframe>` shows of a page that is not there. */
export const MISSING_EMBED: EmbedDocument = {
  html: writeDocument({
    title: 'No such status page',
    head: `<style>${MISSING_STYLE}</style>`,
    body: '<p>There is no such status page.</p>',
  }),
  style: MISSING_STYLE,
};

function writeDocument({ title, head, body }: { title: string; head: string; body: string }): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escapeMarkup(title)}</title>${head}</head><body>${body}</body></html>`,
  ].join('');
}
