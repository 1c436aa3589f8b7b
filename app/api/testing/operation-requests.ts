import { randomBytes } from 'node:crypto';
import type { Setting } from './borrow-tenant';
import { CLOSED, fillPath, fixturePath, makeFixture, withOwnMonitor } from './fixtures';
import type { DocumentedOperation } from './operations';
import { leastBody, leastQuery } from './request-arbitrary';
import { SAMPLE_FILE } from './sample-file';
import { type OutsideRequest, type OutsideResponse, send } from './send';

/** Changes of the smallest request that succeeds; `value` replaces the parameter of the path, by default that of a new object. */
type Changes = Partial<OutsideRequest> & { value?: string };

/** Requests to operations by the organization of a test file. */
export function createRequests(setting: Setting) {
  const createOwn = (path: string) =>
    makeFixture(path, { ...setting.tenant, receiverUrl: CLOSED, db: setting.backdoor.db });
  const kept = new Map<string, Promise<string>>();
  /** An object for requests that are refused, and so leave it as it is. */
  const keepOwn = (path: string): Promise<string> => {
    const own = kept.get(path) ?? createOwn(path);
    kept.set(path, own);
    return own;
  };
  /** Sends the smallest request that succeeds, with changes. */
  const request = async (
    { method, path, body, isFile, query }: DocumentedOperation,
    { value, ...changes }: Changes = {},
    findOwn = createOwn,
  ): Promise<OutsideResponse> => {
    const filled = fixturePath(path) === null ? path : fillPath(path, value ?? (await findOwn(path)));
    const slug = query.required?.includes('slug') ? await findOwn('/status-pages/{slug}') : '';
    const whole = {
      body: body === null ? null : JSON.stringify(withNewSlug(leastBody({ path, body }))),
      ...(isFile ? SAMPLE_FILE : {}),
      ...changes,
    };
    return send(setting.service, {
      method,
      path: `${filled}${leastQuery(query, { slug })}`,
      key: setting.tenant.apiKey,
      ...whole,
      body: await withOwnMonitor(whole.body, () => findOwn('/monitors/{id}')),
    });
  };
  /** Sends the smallest request that succeeds, with changes for which it is refused. */
  const refused = (operation: DocumentedOperation, changes: Changes) => request(operation, changes, keepOwn);
  return { createOwn, keepOwn, request, refused };
}

/** With a slug that no other test has used: the least body is always the same. */
function withNewSlug(body: unknown): unknown {
  const hasSlug = typeof body === 'object' && body !== null && 'slug' in body;
  return hasSlug ? { ...body, slug: `page-${randomBytes(8).toString('hex')}` } : body;
}

/** Files that no operation takes, and how they are rejected. */
export const REFUSED_FILES: [Changes, number, string][] = [
  [{ body: new Uint8Array(256 * 1024 + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
  [{ headers: { 'Content-Type': 'application/json' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [{ headers: { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [{ body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [{ body: SAMPLE_FILE.body.subarray(0, 60) }, 400, 'VALIDATION_ERROR'],
  [{ body: new Uint8Array() }, 400, 'VALIDATION_ERROR'],
];

/** Bodies that no operation takes, and how they are rejected. */
export const REFUSED_BODIES: [Changes, number, string][] = [
  [{ body: '{"name":' }, 400, 'INVALID_JSON'],
  [{ body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 'INVALID_JSON'],
  [{ body: '[]' }, 400, 'VALIDATION_ERROR'],
  [{ body: 'null' }, 400, 'VALIDATION_ERROR'],
  [{ body: '"text"' }, 400, 'VALIDATION_ERROR'],
  [{ body: '1' }, 400, 'VALIDATION_ERROR'],
  [{ body: `{"name":"${'x'.repeat(1024 * 1024)}"}` }, 413, 'PAYLOAD_TOO_LARGE'],
  [{ headers: { 'Content-Type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
];
