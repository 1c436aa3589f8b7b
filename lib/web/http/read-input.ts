import { DomainError } from '@/lib/core/errors';
import { parseJson } from '@/lib/core/parse-json';

/** More fields than any of our forms has. */
const MAX_FORM_FIELDS = 500;

const AMPERSAND = '&'.charCodeAt(0);

const MAX_BYTES = 1024 * 1024;

/** Reads the body of a request. Throws PAYLOAD_TOO_LARGE beyond a limit, by default 1 MiB, without reading further, or at all if its length is stated. */
export async function readBounded(request: Request, maxBytes = MAX_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const tooLarge = () =>
    new DomainError('PAYLOAD_TOO_LARGE', `The body is larger than ${formatLimit(maxBytes)}.`);
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function formatLimit(bytes: number): string {
  return bytes % MAX_BYTES === 0 ? `${bytes / MAX_BYTES} MiB` : `${bytes / 1024} KiB`;
}

/**
 * Reads the body of a request that is a file. Throws UNSUPPORTED_MEDIA_TYPE if it is declared to be something else, or compressed, and
 * PAYLOAD_TOO_LARGE. What it is declared to be is not believed.
 */
export async function readFileBody(
  request: Request,
  { types, maxBytes }: { types: readonly string[]; maxBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBounded(request, maxBytes);
  requireUncompressed(request);
  const type = typeOf(request);
  if (!types.includes(type) && type !== BINARY) {
    throw new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the file itself as Content-Type: ${types.join(', ')} or ${BINARY}.`,
    );
  }
  return bytes;
}

const BINARY = 'application/octet-stream';

function typeOf({ headers }: Request): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

function requireUncompressed({ headers }: Request): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed, without Content-Encoding.');
  }
}

/**
 * Reads a request's JSON body. Throws UNSUPPORTED_MEDIA_TYPE for another content type or a compressed body, PAYLOAD_TOO_LARGE
 * beyond 1 MiB (without reading further), VALIDATION_ERROR for too many values, INVALID_JSON for anything
 * that is not JSON in UTF-8. A missing body is `{}` if it is optional.
 */
export async function readJsonBody(
  request: Request,
  { isOptional = false, maxValues }: { isOptional?: boolean; maxValues?: number } = {},
): Promise<unknown> {
  const bytes = await readBounded(request);
  if (isOptional && bytes.length === 0) return {};
  requireUncompressed(request);
  const type = typeOf(request);
  if (bytes.length > 0 && type !== 'application/json' && !type.endsWith('+json')) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json.');
  }
  return parseJson(decode(bytes), maxValues);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('INVALID_JSON', 'The body is not valid JSON because it is not UTF-8.');
  }
}

/**
 * Reads a form without files (application/x-www-form-urlencoded); the last value of a repeated field wins.
 * Anything else has no fields. Throws PAYLOAD_TOO_LARGE, and VALIDATION_ERROR for more than 500 fields.
 */
export async function readForm(request: Request): Promise<Partial<Record<string, string>>> {
  return Object.fromEntries(await readFormFields(request));
}

/** The same with all values of repeated fields. */
export async function readFormFields(request: Request): Promise<URLSearchParams> {
  const bytes = await readBounded(request);
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return new URLSearchParams();
  requireFewFields(countFields(bytes));
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** The number of fields in an application/x-www-form-urlencoded form. */
export function countFields(body: Uint8Array): number {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) fields += 1;
  return fields;
}

/** Rejects (VALIDATION_ERROR) a form with more than 500 fields. */
export function requireFewFields(fields: number): void {
  if (fields <= MAX_FORM_FIELDS) return;
  throw new DomainError('VALIDATION_ERROR', `The form has more than ${MAX_FORM_FIELDS} fields. Send fewer.`);
}

/** The query of a request as a plain object. A repeated parameter is an array, which schemas of single values reject. */
export function readQuery(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = searchParams.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}
