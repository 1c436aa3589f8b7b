import { makeBadge } from 'badge-maker';
import { DomainError } from '@/lib/core/errors';
import { escapeMarkup, printable } from '@/lib/core/formats/markup';
import type { Services } from '@/lib/domain/context/services';
import { startOfUptime } from '@/lib/domain/monitors/lists/current-monitors';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { decidePageStatus, type PageMonitorState } from '@/lib/domain/status-pages/page-status';
import { readMonitorStatuses, readPageStatus } from '@/lib/domain/status-pages/read-page-status';
import { withPageNames } from '@/lib/domain/status-pages/sections/list-rows';
import type { BadgeQuery } from '@/lib/schemas/status-pages/page-preview';
import { PAGE_SENTENCES, type PageState } from '@/lib/schemas/status-pages/page-state';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { readOpenIncidents } from './read-public-incidents';

/** The name and state of a page. */
export type EmbedSource = Pick<StatusPage, 'name'> & {
  state: PageState;
  /** The styles of the page's colors: `--bg` and `--ink`. */
  colors: string;
  /** The URL of the page. */
  address: string;
};

const REFRESH_SECONDS = 60;
const MISSING_STYLE = 'body{font:14px/1.4 system-ui,sans-serif}';

/** The content of an `<iframe>` for a missing page, and its style sheet, whose hash goes into the Content-Security-Policy. */
export const MISSING_EMBED = {
  html: writeDocument({
    title: 'Status page not found',
    head: `<style>${MISSING_STYLE}</style>`,
    body: '<p>Status page not found.</p>',
  }),
  style: MISSING_STYLE,
};

type State = PageMonitorState | PageState;

const [GOOD, SLOW, BAD, INFO, REST] = ['#166534', '#92400e', '#b91c1c', '#1d4ed8', '#52525b'] as const;

/** Colors by state; white text has a contrast of at least 5:1 on each. */
export const STATE_COLORS: Record<State, string> = {
  operational: GOOD,
  degraded: SLOW,
  partialOutage: SLOW,
  majorOutage: BAD,
  down: BAD,
  maintenance: INFO,
  pending: REST,
  noData: REST,
  paused: REST,
  unknown: REST,
  empty: REST,
};

/** The words of a badge, where they are not the state itself. */
const WORDS: Partial<Record<State, string>> = {
  partialOutage: 'partial outage',
  majorOutage: 'major outage',
  noData: 'no data',
  unknown: 'no data',
  empty: 'no monitors',
};

/** The value of a badge: a state, or an uptime in percent, null if unknown, whose color is graded only while there is current data. */
export type BadgeFigure = { state: State } | { uptimePercentage: number | null; isCurrent: boolean };

const LABEL_COLOR = '#3f3f46';

/**
 * The label and value of a badge: the aggregate status of a page, or the status or 30-day uptime of one of its monitors. Throws
 * NOT_FOUND for a monitor that is not on the page.
 */
export async function readBadge(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
  { monitor: id, show, label }: BadgeQuery,
): Promise<{ label: string; figure: BadgeFigure }> {
  if (id === undefined) {
    const { state } = await readPageStatus({ db, clock }, page);
    return { label: label ?? page.name, figure: { state } };
  }
  const { organizationId } = page;
  const monitorIds = page.monitors.filter((own) => own === id);
  const now = clock.now();
  const [known, incidents] = await Promise.all([
    readMonitorStatuses(db, monitorIds, now, show === 'status' ? undefined : startOfUptime(now)),
    readOpenIncidents(db, { organizationId, monitorIds, componentIds: [], publication: page }),
  ]);
  const monitors = withPageNames(page, known);
  const [monitor] = monitors;
  const [state] = decidePageStatus(monitors, incidents, page).states;
  if (monitor === undefined || state === undefined) {
    throw new DomainError('NOT_FOUND', 'Monitor not found on this page.');
  }
  const { name, uptimePercentage, noDataSince } = monitor;
  const figure = show === 'status' ? { state } : { uptimePercentage, isCurrent: noDataSince === null };
  return { label: label ?? name, figure };
}

/** A badge as SVG, with a text alternative and without external fonts. */
export function writeBadge(label: string, figure: BadgeFigure): string {
  const { message, color } = drawFigure(figure);
  return makeBadge({
    label: printable(label).replace(/\s+/g, ' ').trim(),
    message,
    color,
    labelColor: LABEL_COLOR,
    style: 'flat-square',
  });
}

function drawFigure(figure: BadgeFigure): { message: string; color: string } {
  if ('state' in figure) {
    const { state } = figure;
    return { message: WORDS[state] ?? state, color: STATE_COLORS[state] };
  }
  const { uptimePercentage, isCurrent } = figure;
  if (uptimePercentage === null) return drawFigure({ state: 'noData' });
  const grade = isCurrent ? gradeUptime(uptimePercentage) : 'noData';
  return { message: `${uptimePercentage}%`, color: STATE_COLORS[grade] };
}

/** Thresholds: about 43 minutes and about 7 hours of downtime per month. */
function gradeUptime(percentage: number): State {
  if (percentage >= 99.9) return 'operational';
  return percentage >= 99 ? 'degraded' : 'down';
}

/** A page's status as one line for an `<iframe>` on any website: a link without scripts that reloads every minute. */
export function writeEmbed({ name, colors, state, address }: EmbedSource) {
  const sentence = PAGE_SENTENCES[state];
  const style = [
    colors,
    'html{height:100%}',
    'body{margin:0;height:100%;display:flex;align-items:center;background:var(--bg);color:var(--ink);font:14px/1.4 system-ui,sans-serif}',
    'a{display:flex;align-items:center;gap:8px;min-width:0;padding:8px 12px;color:inherit;text-decoration:none}',
    'a:hover strong,a:focus-visible strong{text-decoration:underline}',
    'a:focus-visible{outline:2px solid;outline-offset:-2px}',
    `i{flex:none;width:10px;height:10px;border:1px solid var(--ink);border-radius:50%;background:${STATE_COLORS[state]}}`,
    'span{overflow-wrap:anywhere}',
  ].join('');
  const html = writeDocument({
    title: `${name}: ${sentence}`,
    head: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}"><style>${style}</style>`,
    body: `<a href="${escapeMarkup(address)}" target="_blank" rel="noopener"><i aria-hidden="true"></i><span><strong>${escapeMarkup(name)}</strong> ${sentence}</span></a>`,
  });
  return { html, style };
}

function writeDocument({ title, head, body }: { title: string; head: string; body: string }): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escapeMarkup(title)}</title>${head}</head><body>${body}</body></html>`,
  ].join('');
}
