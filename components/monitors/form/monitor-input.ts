import { findCheckType, hasFieldGroup } from '@/lib/checks/types';
import { parseJson, splitList } from '@/lib/core/parse-json';
import { hideHeaders } from '@/lib/schemas/hidden';
import type { FormField } from '@/lib/schemas/monitor/fields';

/** What a form holds: a text a field, several of one name joined with commas; a box that is not ticked is left out. */
export type Typed = Readonly<Record<string, string>>;

/** A body of the API that nobody has checked yet. */
export type MonitorInput = Record<string, unknown> & { headers?: Record<string, string> };

/** The field in which a form carries along what it opened with. */
export const OPENED = 'opened';
/** More than any list may hold: the schema refuses what is too long. */
const MAX_LISTED = 100;

type Codec = { show(value: unknown): string; read(text: string): unknown };

const text: Codec = { show: String, read: (typed) => typed.trim() };
const list: Codec = { show: String, read: (typed) => splitList(typed.trim(), ',', MAX_LISTED) };
/** What is no number stays a text, for the schema to refuse. */
const number: Codec = {
  show: String,
  read: (typed) => (/^-?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed.trim()),
};

/** How each control shows a value, and reads what was typed. */
const CODECS: Record<FormField['control'], Codec> = {
  text,
  number,
  choice: number,
  type: text,
  target: text,
  regions: list,
  list: { ...list, show: (value) => (Array.isArray(value) ? value.join(', ') : '') },
  switch: { show: (value) => (value === true ? 'on' : ''), read: (typed) => typed === 'on' },
  // A form sends line breaks as CR LF, whatever was typed.
  lines: { show: String, read: (typed) => typed.replaceAll('\r\n', '\n') },
  headers: { show: showHeaders, read: readHeaders },
};
/** A browser sends nothing of them where nothing is ticked. */
export const TICKED: readonly FormField['control'][] = ['switch', 'regions'];

/** A value as its control holds it. Nobody looks over a shoulder at a token: values of headers are hidden. */
export function showField({ control }: FormField, value: unknown): string {
  return value === null || value === undefined ? '' : CODECS[control].show(value);
}

/** Whether the form of a type has a field. */
export function hasField(type: string | undefined, { group }: FormField): boolean {
  return group === undefined || hasFieldGroup(type, group);
}

/**
 * What was typed as a body of `POST /monitors`, still to be parsed: the schema, not this function, refuses what is wrong, in
 * the same words as the API. What the form does not have is left out.
 */
export function readMonitorInput(fields: readonly FormField[], typed: Typed): MonitorInput {
  const input: MonitorInput = {};
  const type = typed.type?.trim();
  for (const field of fields.filter((each) => hasField(type, each))) {
    const { name, control, isNullable } = field;
    const given = typed[name] ?? (TICKED.includes(control) ? '' : undefined);
    if (given !== undefined) {
      input[name] = isNullable && given.trim() === '' ? null : CODECS[control].read(given);
    }
  }
  const url = findCheckType(type)?.form.parts?.join(trimAll(typed));
  return url === undefined ? input : { ...input, url };
}

/** The fields of `after` that are not as in `before`: all that a change has to say. */
export function changedInput(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const isNew = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(isNew));
}

/** What the form opened with; nothing where it was sent without. */
export function readOpened(typed: Typed): Typed {
  try {
    const opened = parseJson(typed[OPENED] ?? '{}');
    if (typeof opened !== 'object' || opened === null) return {};
    return Object.fromEntries(Object.entries(opened).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

/** What was typed, without the space around it. */
export function trimAll(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).map(([name, given]) => [name, given.trim()]));
}

function showHeaders(value: unknown): string {
  const headers = hideHeaders(value as Record<string, string>);
  return Object.entries(headers)
    .map((pair) => pair.join(': '))
    .join('\n');
}

/** What is no `Name: value` line, or repeats a name, becomes an entry that the schema refuses in its own words. */
function readHeaders(typed: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of splitList(typed, '\n', MAX_LISTED)) {
    const [, name = line, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    headers[name in headers ? otherSpelling(name, line) : name] = value;
  }
  return headers;
}

/** A record cannot hold a name twice; in another spelling it can, and the schema sees the repetition. */
function otherSpelling(name: string, line: string): string {
  return [name.toUpperCase(), name.toLowerCase()].find((spelling) => spelling !== name) ?? line;
}
