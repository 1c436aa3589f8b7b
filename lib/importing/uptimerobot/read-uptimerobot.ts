import { invalidState } from '@/lib/core/errors';
import { parseCsv } from '../files/csv';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import { isRecord, looseList, looseNumber, looseText } from '../files/loose';
import { convertEntries } from '../plan/entries';
import type { ReadFile } from '../plan/plan';
import { countOf, leftBehind } from '../plan/sentences';
import { convertMonitor } from './convert-monitor';

const HINT = 'Choose the CSV export of UptimeRobot, or the JSON response of getMonitors.';

/** Reads the CSV export of UptimeRobot, or responses of getMonitors (API v2). Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readUptimeRobot(file: Uint8Array): ReadFile {
  const text = decodeText(file, HINT);
  return looksLikeJson(text) ? readApi(decodeJson(text, HINT)) : readCsv(text);
}

function readCsv(text: string): ReadFile {
  const { columns, records } = parseCsv(text, HINT);
  if (!columns.includes('friendly_name') || !(columns.includes('url_ip') || columns.includes('url')))
    throw invalidState(`The CSV has no columns "Friendly Name" and "URL/IP". ${HINT}`);
  const note =
    'The CSV export has no intervals, timeouts, headers and passwords: monitors get the defaults of Pharos. The response of getMonitors has them.';
  return {
    items: records.map((record) => convertMonitor({ url: record.url_ip, ...record })),
    notes: columns.includes('interval') ? [] : [note],
  };
}

/** One response, or an array of responses for several pages. */
function readApi(parsed: unknown): ReadFile {
  const pages = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord);
  const [failed] = pages.filter((page) => page.stat === 'fail');
  if (failed !== undefined)
    throw invalidState(
      'The file contains an error response of UptimeRobot. Check the API key and export again.',
    );
  if (pages.length === 0 || !pages.every((page) => Array.isArray(page.monitors)))
    throw invalidState(`The JSON has no monitors of UptimeRobot. ${HINT}`);
  const entries = pages.flatMap((page) => looseList.parse(page.monitors));
  requireItems(entries.length);
  const monitors = entries.filter(isRecord);
  const total = Math.max(...pages.map(totalOf));
  const missing =
    total > monitors.length
      ? [
          `The file has ${monitors.length} of ${countOf(total, 'monitor')}. Export the other pages too (offset).`,
        ]
      : [];
  return {
    items: convertEntries(entries, convertMonitor),
    notes: [
      ...missing,
      ...leftBehind(countDistinct(monitors, 'alert_contacts'), 'alert contact'),
      ...leftBehind(countDistinct(monitors, 'mwindows'), 'maintenance window'),
    ],
  };
}

function totalOf(page: Record<string, unknown>): number {
  return isRecord(page.pagination) ? (looseNumber.parse(page.pagination.total) ?? 0) : 0;
}

function countDistinct(monitors: readonly Record<string, unknown>[], field: string): number {
  const all = monitors.flatMap((monitor) => looseList.parse(monitor[field])).filter(isRecord);
  return new Set(all.map(({ id }) => looseText.parse(id))).size;
}
