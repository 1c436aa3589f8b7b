import { IncomingMessage, type RequestListener } from 'node:http';
import { findCookie } from '@/lib/core/cookies';
import { DomainError } from '@/lib/core/errors';
import { isSmallJson } from '@/lib/core/parse-json';
import { countFields, requireFewFields } from '@/lib/web/http/read-input';
import { respondProblem } from './respond';

/** The limit of the whole application: `serverActions.bodySizeLimit` in next.config.mjs. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Enough for an address, a password, a token, and what a passkey returns. */
const MAX_VISITOR_BYTES = 64 * 1024;

const LINE = '\r\n';
const BOUNDARY = /boundary\*?=(?:"([^"]*)"|([^;\s]*))/gi;
/** The head of a form part without a file, as browsers send it. */
const FIELD_HEAD = /^Content-Disposition: form-data; name="([^"]*)"$/;
/** The name of one of our fields, with the prefix of React. Numeric names contain JSON. */
const FIELD_NAME = /^(?:\d+_)?[A-Za-z][\w-]*$/;

/**
 * Forwards a request to `pass` only if its body is cheap to read: Next and next-auth decode forms and server action arguments
 * before our code sees them, which takes a second for 2 MB. Visitors without a session send less. The API reads its bodies itself.
 */
export function boundBodies(
  pass: RequestListener,
  { sessionCookie }: { sessionCookie: string },
): RequestListener {
  return (request, response) => {
    const reader = findReader(request);
    if (reader === 'ours') return pass(request, response);
    const isVisitor = reader === 'next-auth' || findCookie(request.headers.cookie, sessionCookie) === null;
    readWhole(request, isVisitor ? MAX_VISITOR_BYTES : MAX_BODY_BYTES)
      .then((body) => {
        requireCheap(request, body);
        pass(replay(request, body), response);
      })
      .catch((error: unknown) => {
        // Do not respond to a client that has disconnected.
        if (!response.headersSent && !response.destroyed) respondProblem(response, error);
      });
  };
}

/** A path of the API that ends in a name given by the caller, which may contain anything that no other path is made of. */
const NAMED_PATH = /^\/api\/(?:monitors|webhooks)\/by-ref\/(?!\.{1,2}$)[^/\\%]+$/;

/** Which code reads the body of a request. */
function findReader({ method, url = '' }: IncomingMessage): 'ours' | 'next' | 'next-auth' {
  if (method === 'GET' || method === 'HEAD') return 'ours';
  const path = decodeURIComponent(url.split('?')[0] ?? '');
  if (NAMED_PATH.test(path)) return 'ours';
  // Any spelling of the path: no other API path contains this name, or two dots.
  if (/auth|\.\./i.test(path)) return path.startsWith('/api/') ? 'next-auth' : 'next';
  return path.startsWith('/api/') ? 'ours' : 'next';
}

async function readWhole(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Keep the connection open if the body is too large, to send the error.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new DomainError('PAYLOAD_TOO_LARGE', `The form is larger than ${maxBytes / 1024} KiB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws VALIDATION_ERROR for more than 500 fields, or JSON with too many values. */
function requireCheap({ headers }: IncomingMessage, body: Buffer): void {
  if (listModels(headers['content-type'] ?? '', body).every((text) => isSmallJson(text))) return;
  throw new DomainError('VALIDATION_ERROR', 'The request contains too many values. Send fewer.');
}

/**
 * The parts of a body that React could parse as JSON: everything except our own fields, which it reads as text. It parses
 * any body that is not a form as JSON. Throws VALIDATION_ERROR for more than 500 fields.
 */
function listModels(contentType: string, body: Buffer): string[] {
  const type = contentType.trim().toLowerCase();
  if (type.startsWith('multipart/form-data')) return listPartModels(contentType, body.toString('latin1'));
  if (!type.startsWith('application/x-www-form-urlencoded')) return [body.toString('latin1')];
  requireFewFields(countFields(body));
  const fields = [...new URLSearchParams(body.toString('latin1'))];
  return fields.flatMap(([name, value]) => (FIELD_NAME.test(name) ? [] : [value]));
}

function listPartModels(contentType: string, text: string): string[] {
  const [boundary, ...others] = [...contentType.matchAll(BOUNDARY)].map(
    ([, quoted, plain]) => quoted ?? plain,
  );
  if (boundary === undefined || others.length > 0) {
    throw new DomainError('VALIDATION_ERROR', 'The form must have exactly one boundary.');
  }
  requireFewFields(countOccurrences(text, `--${boundary}`) - 1);
  const parts = text.split(`--${boundary}`).slice(1);
  return parts.filter((part) => {
    const headEnd = part.indexOf(LINE + LINE);
    const [, name] = FIELD_HEAD.exec(part.slice(LINE.length, Math.max(headEnd, 0))) ?? [];
    return name === undefined || !FIELD_NAME.test(name);
  });
}

function countOccurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The same request with a body that has already been read. */
function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const whole = Object.assign(new IncomingMessage(request.socket), {
    method,
    url,
    rawHeaders,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    complete: true,
  });
  whole.headers = headers;
  whole.push(body);
  whole.push(null);
  return whole;
}
