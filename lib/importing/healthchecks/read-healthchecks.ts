import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import { isRecord, looseList, looseText } from '../files/loose';
import { convertEntries } from '../plan/entries';
import type { ReadFile } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { checkSchema, convertCheck } from './convert-check';

const HINT = 'Choose the JSON response of GET https://healthchecks.io/api/v3/checks/.';

/** Reads responses of Healthchecks' API, v1 to v3: one, or an array of those of several projects. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readHealthchecks(file: Uint8Array): ReadFile {
  const text = decodeText(file, HINT);
  if (!looksLikeJson(text)) throw invalidState(`This is not a response of Healthchecks. ${HINT}`);
  const parsed = decodeJson(text, HINT);
  const responses = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord);
  if (responses.some((response) => 'error' in response && !('checks' in response)))
    throw invalidState(
      'The file contains an error response of Healthchecks. Check the API key and export again.',
    );
  if (responses.length === 0 || !responses.every(({ checks }) => Array.isArray(checks)))
    throw invalidState(`The JSON has no checks of Healthchecks. ${HINT}`);
  const entries = responses.flatMap((response) => looseList.parse(response.checks));
  requireItems(entries.length);
  const checks = entries.filter(isRecord);
  const channels = checks.flatMap((check) => (looseText.parse(check.channels) ?? '').split(','));
  const integrations = new Set(channels.filter((channel) => channel !== ''));
  return {
    items: convertEntries(entries, (check) => convertCheck(checkSchema.parse(check))),
    notes: leftBehind(integrations.size, 'integration'),
  };
}
