import { matchesTag, namesTag } from '@/lib/core/entity-tag';
import { DomainError } from '@/lib/core/errors';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { ExpectedVersion } from '@/lib/domain/context/organization-context';

/** What a path currently responds to GET, as far as preconditions depend on it. */
export type Representation = { etag: string; version: number | null; updatedAt: string | null };

/** The headers that make a request depend on the current representation. */
const HEADERS = ['if-match', 'if-none-match', 'if-unmodified-since'];

/**
 * The versions that a change expects: that of its body, and that of the representation for which its preconditions hold, null for
 * none. The verb compares them again once it has locked the resource. Throws CONFLICT and PRECONDITION_FAILED.
 */
export async function readExpected(
  request: Request,
  sentVersion: number | null,
  readCurrent: (() => Promise<Representation | null>) | null,
): Promise<ExpectedVersion[]> {
  const conditional = isConditional(request);
  if (!conditional && sentVersion === null) return [];
  const current = readCurrent === null ? null : await readCurrent();
  const expected = conditional ? requirePreconditions(request, current) : [];
  const isForNone = request.headers.get('if-none-match')?.trim() === '*';
  if (readCurrent !== null && current === null && isForNone) {
    expected.push({ version: null, code: 'PRECONDITION_FAILED' });
  }
  if (sentVersion === null || current?.version == null) return expected;
  const sent: ExpectedVersion[] = [{ version: sentVersion, code: 'CONFLICT' }];
  requireExpectedVersion({ expected: sent }, { version: current.version });
  return [...sent, ...expected];
}

/** The version and the time of the last change of a resource that has them. */
export function versionOf(resource: unknown): Pick<Representation, 'version' | 'updatedAt'> {
  const fields: { version?: unknown; updatedAt?: unknown } =
    typeof resource === 'object' && resource !== null ? resource : {};
  return {
    version: typeof fields.version === 'number' ? fields.version : null,
    updatedAt: typeof fields.updatedAt === 'string' ? fields.updatedAt : null,
  };
}

function isConditional({ headers }: Request): boolean {
  return HEADERS.some((name) => headers.has(name));
}

/**
 * Evaluates the preconditions of a request, except those under which a GET is 304, in the order of RFC 9110, 13.2.2. `current` is null
 * if its path has no representation. Returns the version that a change must still find, if they are about one. Throws
 * PRECONDITION_FAILED.
 */
export function requirePreconditions(request: Request, current: Representation | null): ExpectedVersion[] {
  const { headers } = request;
  const match = headers.get('if-match');
  const since = headers.get('if-unmodified-since');
  if (match !== null) {
    if (current === null || !matchesTag(match, current.etag)) throw failed('If-Match', hintFor(match));
  } else if (since !== null && isModifiedSince(current, since)) {
    throw failed('If-Unmodified-Since', 'The resource was changed after that.');
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && current !== null && namesTag(headers.get('if-none-match'), current.etag)) {
    throw failed('If-None-Match', 'The resource exists, in that form.');
  }
  // `*` only asks whether the resource exists.
  const isAboutState = match === null ? since !== null : match.trim() !== '*';
  if (!isAboutState || current?.version == null) return [];
  return [{ version: current.version, code: 'PRECONDITION_FAILED' }];
}

/** In whole seconds, which is all that an HTTP date has. An invalid date is ignored (RFC 9110, 13.1.4). */
function isModifiedSince(current: Representation | null, since: string): boolean {
  const limit = Date.parse(since);
  if (current?.updatedAt == null || Number.isNaN(limit)) return false;
  return Math.floor(Date.parse(current.updatedAt) / 1000) > Math.floor(limit / 1000);
}

function hintFor(match: string): string {
  return /W\//.test(match)
    ? 'It needs a strong ETag, and this one is weak. Send the `version` that you fetched in the body of a PUT instead.'
    : 'The resource has another ETag. Fetch it again, and repeat your change.';
}

function failed(header: string, hint: string): DomainError {
  return new DomainError('PRECONDITION_FAILED', `The precondition ${header} is not met. ${hint}`);
}
