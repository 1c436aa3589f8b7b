import { readBounded } from './read-bounded';

/**
 * Reads what a form without files sends (application/x-www-form-urlencoded); of a field that comes twice the last counts.
 * What is no form has no fields. Throws PAYLOAD_TOO_LARGE.
 */
export async function readForm(request: Request): Promise<Partial<Record<string, string>>> {
  const bytes = await readBounded(request);
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return {};
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}
