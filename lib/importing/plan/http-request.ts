import { parseUrl } from '@/lib/core/parse-url';
import { HIDDEN } from '@/lib/schemas/hidden';
import { METHODS, monitorFields } from '@/lib/schemas/monitor/fields';
import { addAssertions } from './assertions';
import type { Draft } from './draft';
import { shown } from './sentences';

const MAX_HEADERS = 50;
/** What products show instead of a secret. */
const MASKED = /^\W*(?:[*•]{3,}|hidden|masked|redacted)\W*$/i;

/** An HTTP target. A user name and password in the URL become an Authorization header, which Pharos stores encrypted. */
export function setHttpUrl(draft: Draft, text: string): void {
  const trimmed = text.trim();
  draft.setTarget('http', trimmed);
  const url = /^https?:\/\/[^/?#]*@/i.test(trimmed) ? parseUrl(trimmed) : null;
  if (url === null) return;
  const [user, password] = [decode(url.username), decode(url.password)];
  url.username = '';
  url.password = '';
  draft.setTarget('http', url.href);
  setBasicAuth(draft, user, password);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function setMethod(draft: Draft, method: string | null): void {
  const name = (method ?? '').trim().toUpperCase();
  if (name === '') return;
  const known = METHODS.find((each) => each === name);
  if (known !== undefined) draft.body.method = known;
  else draft.change(`The method ${shown(name)} is not supported and becomes GET.`);
}

/** Adds headers. Those that Pharos does not permit are left out. */
export function addHeaders(draft: Draft, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const isMasked = MASKED.test(value);
    addHeader(draft, name.trim(), isMasked ? HIDDEN : value);
    if (isMasked) noteHidden(draft, name.trim());
  }
}

/** The names of settings in a record of a file. */
type RequestNames = { method: string; headers: string; user: string; body: string };

/**
 * Keeps what a record leaves out, once everything is set: the responses of an API have some settings only on request, and a table only
 * the columns that somebody chose. A setting that is there but empty has ended.
 */
export function keepLeftOut(
  draft: Draft,
  record: object,
  { method, headers, user, body }: RequestNames,
): void {
  if (!(headers in record) && draft.body.headers === undefined) draft.keep('headers');
  else if (!(user in record)) addDefaultHeader(draft, 'Authorization', HIDDEN);
  if (!(method in record) && !(body in record)) draft.keep('method', 'body');
}

function noteHidden(draft: Draft, name: string): void {
  draft.change(
    `The value of the header ${shown(name)} is not in the file. Enter it in Pharos; a later import keeps it.`,
  );
}

function addHeader(draft: Draft, name: string, value: string): void {
  const headers = draft.body.headers ?? {};
  const parsed = monitorFields.headers.safeParse({ [name]: value });
  if (!parsed.success) {
    // An invalid name can be the secret itself, such as the value of a line without a colon.
    const isNamed = /^[\w-]{1,60}$/.test(name);
    const what = isNamed ? `The header ${name}` : 'A header with an invalid name';
    const why = isNamed ? ` It ${parsed.error.issues[0]?.message ?? 'is not valid'}.` : '';
    draft.change(`${what} is left out.${why}`);
    return;
  }
  const given = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
  if (given !== undefined) draft.change(`The header ${shown(given)} is given twice; the last value is used.`);
  const others = Object.entries(headers).filter(([each]) => each !== given);
  if (others.length >= MAX_HEADERS) draft.change(`Only the first ${MAX_HEADERS} headers are imported.`);
  else draft.body.headers = { ...Object.fromEntries(others), [name]: value };
}

/** Sets the header unless the monitor already has one of this name. */
export function addDefaultHeader(draft: Draft, name: string, value: string): boolean {
  const names = Object.keys(draft.body.headers ?? {});
  if (names.some((each) => each.toLowerCase() === name.toLowerCase())) return false;
  addHeader(draft, name, value);
  return true;
}

export function setBasicAuth(draft: Draft, user: string, password: string): void {
  const bytes = Array.from(new TextEncoder().encode(`${user}:${password}`), (byte) =>
    String.fromCharCode(byte),
  );
  const value = `Basic ${btoa(bytes.join(''))}`;
  if (addDefaultHeader(draft, 'Authorization', value))
    draft.change('The user name and password become an Authorization header.');
}

export function setBearerToken(draft: Draft, token: string): void {
  if (addDefaultHeader(draft, 'Authorization', `Bearer ${token}`))
    draft.change('The bearer token becomes an Authorization header.');
}

/** The request body. Pharos sends none with GET or HEAD. Call it after `setMethod`. */
export function setRequestBody(draft: Draft, body: string | null, contentType: string | null): void {
  if (body === null || body.trim() === '') return;
  const method = draft.body.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') {
    draft.change(`The request body is left out, because the method is ${method}.`);
    return;
  }
  const isMasked = MASKED.test(body);
  draft.body.body = isMasked ? HIDDEN : body;
  if (isMasked)
    draft.change('The request body is not in the file. Enter it in Pharos; a later import keeps it.');
  if (contentType !== null) addDefaultHeader(draft, 'Content-Type', contentType);
}

/** Text that the response must contain. */
export function setKeyword(draft: Draft, keyword: string | null): void {
  if (keyword === null || keyword.trim() === '') return;
  if (keyword !== keyword.trim()) draft.change('Spaces around the keyword are removed.');
  draft.body.keyword = keyword.trim();
}

/** Text that the response must not contain. */
export function setAbsentKeyword(draft: Draft, keyword: string | null): void {
  if (keyword === null || keyword === '') return;
  if (!addAssertions(draft, { source: 'body', comparison: 'notContains', target: keyword }))
    draft.change('The text that must be absent is too long and left out.');
}

/** How many redirects to follow; 0 means none. */
export function setRedirects(draft: Draft, maximum: number | null): void {
  if (maximum === null || maximum < 0) return;
  draft.body.followRedirects = maximum > 0;
  if (maximum === 0) return;
  draft.body.maxRedirects = Math.min(10, Math.round(maximum));
  if (maximum > 10) draft.change(`At most ${maximum} redirects becomes at most 10.`);
}
