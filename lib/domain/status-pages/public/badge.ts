import { makeBadge } from 'badge-maker';
import { DomainError } from '@/lib/core/errors';
import { escapeMarkup, printable } from '@/lib/core/markup';
import type { Services } from '@/lib/domain/context/services';
import {
  type MonitorStatusRow,
  type OverallStatus,
  PAGE_STATUS_SENTENCES,
  readMonitorStatuses,
  readPageStatus,
  STATUS_COLORS,
} from '@/lib/domain/status-pages/aggregate-status';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import type { BadgeQuery } from '@/lib/schemas/status-pages/page-preview';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';

/** The name, theme and status of a page. */
export type EmbedSource = Pick<StatusPage, 'name' | 'theme'> & {
  status: OverallStatus;
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

type State = keyof typeof STATUS_COLORS;

/** The value of a badge: a state, or an uptime in percent whose color is graded only while there is current data. */
export type BadgeFigure = { state: State } | { uptimePercentage: number; isCurrent: boolean };

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
    return { label: label ?? page.name, figure: { state: await readPageStatus({ db, clock }, page) } };
  }
  const now = clock.now();
  const ids = page.monitors.filter((own) => own === id);
  const [monitor] = await readMonitorStatuses(db, ids, now);
  if (monitor === undefined) throw new DomainError('NOT_FOUND', 'Monitor not found on this page.');
  const own = label ?? monitor.name;
  if (show === 'status') return { label: own, figure: { state: shownState(monitor) } };
  const { uptimePercentage, noDataSince } = monitor;
  return { label: own, figure: { uptimePercentage, isCurrent: noDataSince === null } };
}

function shownState({ enabled, inMaintenance, noDataSince, status }: MonitorStatusRow) {
  if (!enabled) return 'paused';
  if (inMaintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
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
    return { message: state === 'noData' ? 'no data' : state, color: STATUS_COLORS[state] };
  }
  const { uptimePercentage, isCurrent } = figure;
  const grade = isCurrent ? gradeUptime(uptimePercentage) : 'noData';
  return { message: `${uptimePercentage}%`, color: STATUS_COLORS[grade] };
}

/** Thresholds: about 43 minutes and about 7 hours of downtime per month. */
function gradeUptime(percentage: number): State {
  if (percentage >= 99.9) return 'operational';
  return percentage >= 99 ? 'degraded' : 'down';
}

/** A page's status as one line for an `<iframe>` on any website: a link without scripts that reloads every minute. */
export function writeEmbed({ name, theme, status, address }: EmbedSource) {
  const sentence = PAGE_STATUS_SENTENCES[status];
  const style = [
    'html{height:100%}',
    `body{margin:0;height:100%;display:flex;align-items:center;background:${theme.backgroundColor};color:${theme.textColor};font:14px/1.4 system-ui,sans-serif}`,
    'a{display:flex;align-items:center;gap:8px;min-width:0;padding:8px 12px;color:inherit;text-decoration:none}',
    'a:hover strong,a:focus-visible strong{text-decoration:underline}',
    `a:focus-visible{outline:2px solid ${theme.textColor};outline-offset:-2px}`,
    `i{flex:none;width:10px;height:10px;border:1px solid ${theme.textColor};border-radius:50%;background:${STATUS_COLORS[status]}}`,
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
