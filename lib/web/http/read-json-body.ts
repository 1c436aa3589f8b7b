import { DomainError } from '@/lib/core/errors';
import { parseJson } from '@/lib/core/parse-json';
import { readBounded } from './read-bounded';

/**
 * Reads a request's JSON body. Throws UNSUPPORTED_MEDIA_TYPE for another content type, PAYLOAD_TOO_LARGE beyond 1 MiB
 * (without reading further), VALIDATION_ERROR for more values than any body needs, INVALID_JSON for what is no JSON,
 * or not UTF-8. No body at all is `{}` where it is optional.
 */
export async function readJsonBody(
  request: Request,
  { isOptional = false }: { isOptional?: boolean } = {},
): Promise<unknown> {
  const bytes = await readBounded(request);
  if (isOptional && bytes.length === 0) return {};
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (bytes.length > 0 && type !== 'application/json' && !type.endsWith('+json')) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json.');
  }
  return parseJson(decode(bytes));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('INVALID_JSON', 'The body is not valid JSON: it is not UTF-8.');
  }
}
