import { z } from 'zod';
import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import { isRecord, looseList, looseNumber, looseRecord, looseText, looseWord } from '../files/loose';
import { Draft } from '../plan/draft';
import { setHeartbeat } from '../plan/heartbeat';
import type { ImportedMonitor, ReadFile } from '../plan/plan';
import { refOf } from '../plan/ref';
import { leftBehind } from '../plan/sentences';
import { convertMonitor } from './convert-monitor';
import { FIELDS } from './fields';

/** The attributes of a heartbeat: https://betterstack.com/docs/uptime/api/heartbeats-api-response-params/. */
const heartbeatSchema = z.object({
  name: looseText.transform((name) => name ?? ''),
  status: looseWord,
  paused_at: looseWord,
  period: looseNumber,
  grace: looseNumber,
});

/** One heartbeat of Better Stack as a monitor of Pharos, or why it cannot be imported. */
function convertHeartbeat(
  id: string | null,
  { name, status, paused_at: pausedAt, period, grace }: z.output<typeof heartbeatSchema>,
): ImportedMonitor {
  // Heartbeats and monitors are numbered separately.
  const ref = id === null ? refOf('better-stack-heartbeat', name) : `better-stack-heartbeat-${id}`;
  const draft = new Draft(FIELDS, { name, kind: 'heartbeat', ref });
  if (period === null || period <= 0) return draft.reject('The file does not say how often the job calls.');
  setHeartbeat(draft, { period, grace: grace ?? 0 });
  draft.setEnabled(pausedAt === null && status !== 'paused');
  return draft.finish();
}

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
      ? convertMonitor(looseText.parse(id), looseRecord.parse(attributes))
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
