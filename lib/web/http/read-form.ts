import { DomainError } from '@/lib/core/errors';
import { readBounded } from './read-bounded';

/** More than any form of ours has. */
const MAX_FORM_FIELDS = 500;

/**
 * Reads what a form without files sends (application/x-www-form-urlencoded); of a field that comes twice the last counts.
 * What is no form has no fields. Throws PAYLOAD_TOO_LARGE, and VALIDATION_ERROR for more than 500 fields.
 */
export async function readForm(request: Request): Promise<Partial<Record<string, string>>> {
  const bytes = await readBounded(request);
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return {};
  requireFewFields(countFields(bytes));
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

/** How many fields a form holds that was sent as application/x-www-form-urlencoded. */
export function countFields(body: Uint8Array): number {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) fields += 1;
  return fields;
}

/** Refuses (VALIDATION_ERROR) a form with more than 500 fields. */
export function requireFewFields(fields: number): void {
  if (fields <= MAX_FORM_FIELDS) return;
  throw new DomainError('VALIDATION_ERROR', `The form has more than ${MAX_FORM_FIELDS} fields. Send fewer.`);
}

const AMPERSAND = '&'.charCodeAt(0);
