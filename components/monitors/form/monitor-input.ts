import { readDuration, showDuration } from '@/components/ui/forms/duration';
import { ASSERTION_SOURCES, type AssertionSource } from '@/lib/checks/assertions/assertion';
import type { CronSchedule } from '@/lib/checks/heartbeat/cron';
import { findCheckType, hasFieldGroup } from '@/lib/checks/types';
import { parseJson } from '@/lib/core/parse-json';
import { splitList } from '@/lib/core/text';
import { HIDDEN, hideHeaders } from '@/lib/schemas/hidden';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { showSchedule, splitSchedule } from '../heartbeat/typed-schedule';
import { parseAuthentication, showStored } from './typed-authentication';

/** Form values as text, several of one name joined with commas. Unchecked boxes are missing. */
export type Typed = Readonly<Record<string, string>>;

/** An unvalidated body of the API. */
export type MonitorInput = Record<string, unknown> & { headers?: Record<string, string> };

/** The hidden field with the form's initial values. */
export const OPENED = 'opened';
/** More than any list may hold, so that the schema rejects longer ones. */
const MAX_LISTED = 250;

type Codec = { show(value: unknown): string; read(text: string): unknown };

const text: Codec = { show: String, read: (typed) => typed.trim() };
const list: Codec = { show: String, read: (typed) => splitList(typed.trim(), ',', MAX_LISTED) };
/** Invalid numbers stay text, which the schema rejects. */
const number: Codec = {
  show: String,
  read: (typed) => (/^-?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed.trim()),
};

/** How each control shows and reads a value. */
const CODECS: Record<FormField['control'], Codec> = {
  text,
  number,
  choice: text,
  numbers: number,
  type: text,
  target: text,
  regions: list,
  monitors: list,
  list: { ...list, show: (value) => (Array.isArray(value) ? value.join(', ') : '') },
  switch: { show: (value) => (value === true ? 'on' : ''), read: (typed) => typed === 'on' },
  // Browsers submit line breaks as CR LF.
  lines: { show: String, read: (typed) => typed.replaceAll('\r\n', '\n') },
  headers: { show: showHeaders, read: readHeaders },
  escaped: { show: (value) => escapeText(String(value)), read: unescapeText },
  assertions: { show: (value) => JSON.stringify(value), read: readAssertions },
  secret: { show: () => HIDDEN, read: (typed) => typed.replaceAll('\r\n', '\n').trim() },
  authentication: { show: showStored, read: parseAuthentication },
  cron: { show: (value) => showSchedule(value as CronSchedule), read: splitSchedule },
  duration: { show: (value) => showDuration(Number(value)), read: readDuration },
};
/** Controls that browsers omit if nothing is checked. */
export const CHECKBOXES: readonly FormField['control'][] = ['switch', 'regions', 'monitors'];

/** The value of a control. Secret header values are hidden. */
export function showField({ control }: FormField, value: unknown): string {
  return value === null || value === undefined ? '' : CODECS[control].show(value);
}

/** Whether a field applies to a type. */
export function hasField(type: string | undefined, { group }: FormField): boolean {
  return group === undefined || hasFieldGroup(type, group);
}

/**
 * Form values as an unvalidated body of `POST /monitors`: the schema rejects what is invalid with the messages of the API.
 * Missing fields are left out, a target without a scheme gets it, and left out are assertions that the type does not have: the form keeps them in case another is selected.
 */
export function readMonitorInput(fields: readonly FormField[], typed: Typed): MonitorInput {
  const input: MonitorInput = {};
  const type = typed.type?.trim();
  for (const field of fields.filter((each) => hasField(type, each))) {
    const { name, control, isNullable } = field;
    const given = typed[name] ?? (CHECKBOXES.includes(control) ? '' : undefined);
    if (given !== undefined) {
      input[name] = isNullable && given.trim() === '' ? null : readControl(control, type, given);
    }
  }
  const { parts, complete } = findCheckType(type)?.form ?? {};
  if (parts) return { ...input, url: parts.join(trimAll(typed)) };
  const completed = typeof input.url === 'string' ? complete?.(input.url) : null;
  return completed ? { ...input, url: completed.target } : input;
}

/** The fields of `after` that differ from `before`. Assertions are removed if its type has none: they would conflict with it. */
export function changedInput(before: MonitorInput, after: MonitorInput): Record<string, unknown> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name]);
  const isWithout = Array.isArray(before.assertions) && after.assertions === undefined;
  const entries = Object.entries(isWithout ? { ...after, assertions: [] } : after);
  return Object.fromEntries(entries.filter(isChanged));
}

/** The form's initial values; empty if it was submitted without. */
export function readOpened(typed: Typed): Typed {
  try {
    const opened = parseJson(typed[OPENED] ?? '{}');
    if (typeof opened !== 'object' || opened === null) return {};
    return Object.fromEntries(Object.entries(opened).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

/** Whether a text is a number that a field takes, or empty where that is allowed. */
export function isNumberFor({ isNullable, bounds }: FormField, typed: string): boolean {
  const value = number.read(typed);
  if (typeof value !== 'number') return isNullable && value === '';
  return Number.isInteger(value) && (bounds === null || (value >= bounds.minimum && value <= bounds.maximum));
}

/** Trims all values. */
export function trimAll(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).map(([name, given]) => [name, given.trim()]));
}

function showHeaders(value: unknown): string {
  const headers = hideHeaders(value as Record<string, string>);
  return Object.entries(headers)
    .map((pair) => pair.join(': '))
    .join('\n');
}

/** Parses `Name: value` lines. Invalid lines and repeated names become entries that the schema rejects. */
function readHeaders(typed: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of splitList(typed, '\n', MAX_LISTED)) {
    const [, name = line, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    headers[name in headers ? otherSpelling(name, line) : name] = value;
  }
  return headers;
}

/** The name in another case: a record cannot repeat a key, but the schema ignores case, and rejects the repetition. */
function otherSpelling(name: string, line: string): string {
  return [name.toUpperCase(), name.toLowerCase()].find((spelling) => spelling !== name) ?? line;
}

const ESCAPES: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' };

/** A text in one line. */
function escapeText(text: string): string {
  const escapes = Object.entries(ESCAPES);
  const toEscape = (found: string) => `\\${escapes.find(([, meant]) => meant === found)?.[0]}`;
  return text.replaceAll(/[\r\n\t\\]/g, toEscape);
}

/** What `escapeText` returned, as it was. A backslash before another character is one. */
function unescapeText(typed: string): string {
  return typed.replaceAll(/\\([rnt\\])/g, (found, name: string) => ESCAPES[name] ?? found);
}

function readControl(control: FormField['control'], type: string | undefined, typed: string): unknown {
  const value = CODECS[control].read(typed);
  return control === 'assertions' && Array.isArray(value) ? onlyApplicable(type, value) : value;
}

/** The assertions in a value of the editor, and those of them that a type has. */
export function readApplicable(type: string, typed: string): { all: unknown[]; applicable: unknown[] } {
  const read = readAssertions(typed);
  const all: unknown[] = Array.isArray(read) ? read : [];
  return { all, applicable: onlyApplicable(type, all) };
}

/** Assertions without those that only other types have. Anything else stays, for the schema to reject. */
function onlyApplicable(type: string | undefined, assertions: readonly unknown[]): unknown[] {
  const own = findCheckType(type)?.assertions ?? ASSERTION_SOURCES;
  const others = ASSERTION_SOURCES.filter((source) => !own.includes(source));
  return assertions.filter((each) => !others.some((source) => isAbout(each, source)));
}

function isAbout(assertion: unknown, source: AssertionSource): boolean {
  return (
    typeof assertion === 'object' &&
    assertion !== null &&
    'source' in assertion &&
    assertion.source === source
  );
}

/** The rows of the editor. What is not JSON stays text, which the schema rejects. */
function readAssertions(typed: string): unknown {
  try {
    return parseJson(typed || '[]');
  } catch {
    return typed;
  }
}
