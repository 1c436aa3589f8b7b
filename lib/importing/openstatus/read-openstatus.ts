import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import { isRecord, looseList, looseNumber, looseWord } from '../files/loose';
import { decodeYaml } from '../files/yaml';
import { rejectEntry } from '../plan/entries';
import type { ImportedMonitor, ReadFile } from '../plan/plan';
import { NO_TARGET } from '../plan/reasons';
import { countOf, leftBehind } from '../plan/sentences';
import { convertMonitor } from './convert-monitor';
import { fromRest, fromRpc, fromYaml, type OpenstatusMonitor } from './openstatus-monitor';

const HINT = 'Choose openstatus.yaml, or the JSON response of the monitors API.';
const RPC_LISTS: [string, string][] = [
  ['httpMonitors', 'http'],
  ['tcpMonitors', 'tcp'],
  ['dnsMonitors', 'dns'],
];

/** Reads openstatus.yaml, or a list of monitors of the API (v1 or RPC). Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readOpenstatus(file: Uint8Array): ReadFile {
  const text = decodeText(file, HINT);
  const parsed = looksLikeJson(text) ? decodeJson(text, HINT) : decodeYaml(text, HINT);
  // The lists of RPC by type are one.
  const entries = (isRecord(parsed) ? Object.values(parsed) : looseList.parse(parsed)).flat();
  requireItems(entries.length);
  const listed = readList(parsed) ?? readRpc(parsed);
  const monitors = listed ?? readMap(parsed);
  if (monitors === null) throw invalidState(`The file has no monitors of openstatus. ${HINT}`);
  requireItems(monitors.length);
  const total = isRecord(parsed) ? (looseNumber.parse(parsed.totalSize) ?? 0) : 0;
  const missing =
    total > monitors.length
      ? [`The file has ${monitors.length} of ${countOf(total, 'monitor')}. Export with a higher limit.`]
      : [];
  const items = [...monitors.map(convertMonitor), ...(listed === null ? rejectOthers(parsed) : [])];
  return { items, notes: [...missing, ...noteOthers(entries)] };
}

/** The API v1 returns an array. */
function readList(parsed: unknown): OpenstatusMonitor[] | null {
  if (!Array.isArray(parsed)) return null;
  const monitors = parsed.filter(isRecord).filter((each) => 'periodicity' in each && 'url' in each);
  return monitors.length === parsed.length ? monitors.map(fromRest) : null;
}

function readRpc(parsed: unknown): OpenstatusMonitor[] | null {
  if (!isRecord(parsed) || !RPC_LISTS.some(([list]) => Array.isArray(parsed[list]))) return null;
  return RPC_LISTS.flatMap(([list, kind]) =>
    looseList
      .parse(parsed[list])
      .filter(isRecord)
      .map((monitor) => fromRpc(kind, monitor)),
  );
}

/** The YAML is a map of monitors by key. */
function readMap(parsed: unknown): OpenstatusMonitor[] | null {
  if (!isRecord(parsed)) return null;
  const monitors = Object.entries(parsed).flatMap(([key, value]) =>
    isRecord(value) && isRecord(value.request) ? [fromYaml(key, value)] : [],
  );
  return monitors.length > 0 ? monitors : null;
}

/** The entries of such a map that have no request, except those of people, such as anchors. */
function rejectOthers(parsed: unknown): ImportedMonitor[] {
  const entries = isRecord(parsed) ? Object.entries(parsed) : [];
  return entries
    .filter(([key, value]) => !/^(?:x-|\.)/.test(key) && !(isRecord(value) && isRecord(value.request)))
    .map(([key]) => rejectEntry(key, NO_TARGET));
}

function noteOthers(entries: readonly unknown[]): string[] {
  const exporters = entries.filter((entry) => isRecord(entry) && hasExporter(entry)).length;
  const shared = entries.filter((entry) => isRecord(entry) && entry.public === true).length;
  return [
    ...leftBehind(exporters, 'OpenTelemetry exporter'),
    ...(shared > 0
      ? [`Public monitors are not public in Pharos: add them to a status page (${shared}).`]
      : []),
  ];
}

/** `monitors import` writes an empty one for each monitor: https://github.com/openstatusHQ/cli/blob/main/internal/config/monitor.go */
function hasExporter({ openTelemetry }: Record<string, unknown>): boolean {
  return isRecord(openTelemetry) && looseWord.parse(openTelemetry.endpoint) !== null;
}
