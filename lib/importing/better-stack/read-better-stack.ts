import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import { isRecord, looseList, looseRecord, looseText } from '../files/loose';
import type { ReadFile } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { convertHeartbeat, heartbeatSchema } from './convert-heartbeat';
import { attributesSchema, convertMonitor } from './convert-monitor';

const HINT =
  'Choose the JSON response of GET https://uptime.betterstack.com/api/v2/monitors or /api/v2/heartbeats.';

/** What the same API returns besides monitors. */
const OTHER_TYPES: [string, string][] = [
  ['monitor_group', 'monitor group'],
  ['status_page', 'status page'],
  ['incident', 'incident'],
];

/** Reads responses of Better Stack's API: one, or an array of pages, of monitors and heartbeats alike. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readBetterStack(file: Uint8Array): ReadFile {
  const text = decodeText(file, HINT);
  if (!looksLikeJson(text)) throw invalidState(`This is not a response of Better Stack. ${HINT}`);
  const parsed = decodeJson(text, HINT);
  const pages = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord);
  if (pages.some((page) => 'errors' in page && !('data' in page)))
    throw invalidState(
      'The file contains an error response of Better Stack. Check the API token and export again.',
    );
  const resources = pages
    .flatMap(({ data }) => (isRecord(data) ? [data] : looseList.parse(data)))
    .filter(isRecord);
  const imported = resources.filter(({ type }) => type === 'monitor' || type === 'heartbeat');
  if (
    pages.length === 0 ||
    !pages.every((page) => 'data' in page) ||
    (resources.length > 0 && imported.length === 0)
  )
    throw invalidState(`The JSON has no monitors of Better Stack. ${HINT}`);
  requireItems(imported.length);

  const items = imported.map(({ id, type, attributes }) =>
    type === 'monitor'
      ? convertMonitor(looseText.parse(id), attributesSchema.parse(looseRecord.parse(attributes)))
      : convertHeartbeat(looseText.parse(id), heartbeatSchema.parse(looseRecord.parse(attributes))),
  );
  const hasNext = ['monitor', 'heartbeat'].some((type) => isCutOff(pages, type));
  const others = OTHER_TYPES.flatMap(([type, noun]) =>
    leftBehind(resources.filter((resource) => resource.type === type).length, noun),
  );
  const next = 'The file has only the first pages of the list. Export the next page too (pagination.next).';
  return { items, notes: [...(hasNext ? [next] : []), ...others] };
}

/** Whether the last page of a list has a next one. */
function isCutOff(pages: readonly Record<string, unknown>[], type: string): boolean {
  const ofType = pages.filter(({ data }) =>
    looseList.parse(data).some((resource) => isRecord(resource) && resource.type === type),
  );
  const pagination = ofType.at(-1)?.pagination;
  return isRecord(pagination) && typeof pagination.next === 'string';
}
