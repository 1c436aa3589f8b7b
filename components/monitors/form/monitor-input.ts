import { findCheckType, hasFieldGroup } from '@/lib/checks/types';
import { splitList } from '@/lib/core/parse-json';

/** What a form holds: a text a field, several of one name joined with commas; a box that is not ticked is left out. */
export type Typed = Readonly<Record<string, string>>;

/** A body of the API that nobody has checked yet. */
export type MonitorInput = Record<string, unknown> & { headers?: Record<string, string> };

/** More than any list may hold: the schema refuses what is too long. */
const MAX_LISTED = 100;

/** Left out for types without this group, where the form does not show them: the schema's defaults count. */
const REQUEST_FIELDS = [
  'method',
  'expectedStatusCode',
  'headers',
  'body',
  'keyword',
  'tlsExpiryDays',
  'tlsVerify',
  'followRedirects',
];

/**
 * What was typed as a body of `POST /monitors`, still to be parsed: the schema, not this function, refuses what is wrong, in
 * the same words as the API.
 */
export function readMonitorInput(typed: Typed): MonitorInput {
  const text = (name: string) => (typed[name] ?? '').trim();
  const optional = (name: string) => (text(name) === '' ? null : text(name));
  const isTicked = (name: string) => typed[name] === 'on';
  const input = {
    name: text('name'),
    url: findCheckType(text('type'))?.form.parts?.join(trimAll(typed)) ?? text('url'),
    type: text('type'),
    method: text('method'),
    interval: number(text('interval')),
    timeout: number(text('timeout')),
    expectedStatusCode: number(text('expectedStatusCode')),
    regions: splitList(text('regions'), ',', MAX_LISTED),
    alertThreshold: number(text('alertThreshold')),
    recoveryThreshold: number(text('recoveryThreshold')),
    degradedThreshold: number(text('degradedThreshold')),
    keyword: optional('keyword'),
    headers: readHeaders(typed.headers ?? ''),
    // A form sends line breaks as CR LF, whatever was typed.
    body: optional('body') === null ? null : (typed.body ?? '').replaceAll('\r\n', '\n'),
    tlsExpiryDays: optional('tlsExpiryDays') === null ? null : number(text('tlsExpiryDays')),
    followRedirects: isTicked('followRedirects'),
    tlsVerify: isTicked('tlsVerify'),
    tags: splitList(text('tags'), ',', MAX_LISTED),
    ref: optional('ref'),
    enabled: isTicked('enabled'),
  };
  if (hasFieldGroup(input.type, 'request')) return input;
  const { headers: _, ...rest } = input;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !REQUEST_FIELDS.includes(name)));
}

/** The fields of `after` that are not as in `before`: all that a change has to say. */
export function changedInput(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const isNew = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(isNew));
}

/** What was typed, without the space around it. */
export function trimAll(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim()]));
}

/** What is no number stays a text, for the schema to refuse. */
function number(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** What is no `Name: value` line, or repeats a name, becomes an entry that the schema refuses in its own words. */
function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of splitList(text, '\n', MAX_LISTED)) {
    const [, name = line, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    headers[name in headers ? otherSpelling(name, line) : name] = value;
  }
  return headers;
}

/** A record cannot hold a name twice; in another spelling it can, and the schema sees the repetition. */
function otherSpelling(name: string, line: string): string {
  return [name.toUpperCase(), name.toLowerCase()].find((spelling) => spelling !== name) ?? line;
}
