import { filters as standard } from 'liquidjs';

/** Most characters of a value that a filter takes, and most items. */
const MAX_TEXT = 10_000;
const MAX_ITEMS = 10_000;

type Filter = (this: unknown, ...values: unknown[]) => unknown;

/** Filters whose work grows with their input only. Others run expressions, read the clock, or use regular expressions. */
const NAMES = [
  'abs',
  'append',
  'at_least',
  'at_most',
  'capitalize',
  'ceil',
  'compact',
  'concat',
  'date',
  'default',
  'divided_by',
  'downcase',
  'escape',
  'first',
  'floor',
  'join',
  'json',
  'last',
  'lstrip',
  'map',
  'minus',
  'modulo',
  'newline_to_br',
  'plus',
  'prepend',
  'remove',
  'remove_first',
  'replace',
  'replace_first',
  'reverse',
  'round',
  'rstrip',
  'size',
  'slice',
  'sort',
  'split',
  'strip',
  'strip_newlines',
  'times',
  'truncate',
  'truncatewords',
  'uniq',
  'upcase',
  'url_encode',
  'where',
];

/**
 * The filters of templates, each limited in what it takes: a filter in native code cannot be interrupted, so none may run for long.
 */
export const FILTERS: Record<string, Filter> = Object.fromEntries(
  Object.entries(standard)
    .filter(([name]) => NAMES.includes(name))
    .map(([name, filter]) => [name, limited(name, typeof filter === 'function' ? filter : filter.handler)]),
);

/** What an event does not have is null. */
FILTERS.json = limited('json', (value: unknown) => JSON.stringify(value ?? null));

function limited(name: string, filter: (...values: never[]) => unknown): Filter {
  return function (...values) {
    for (const value of values) requireSmall(value);
    if (name === 'replace') requireFewReplacements(values.map(String));
    return Reflect.apply(filter, this, values);
  };
}

function requireSmall(value: unknown): void {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    throw new Error('the text is too long for a filter');
  if (Array.isArray(value) && value.length > MAX_ITEMS) throw new Error('the list is too long for a filter');
}

function requireFewReplacements([text = '', pattern = '', replacement = '']: string[]): void {
  const grown = (text.split(pattern).length - 1) * replacement.length;
  if (grown > MAX_TEXT) throw new Error('the text is too long for a filter');
}
