import type { Prisma } from '@/lib/platform/db/generated/client';
import { SECRET_FIELDS } from '@/lib/schemas/monitor/fields';

type Value = Prisma.InputJsonValue | null;

/** Field values as they are stored or answered; compared by their JSON. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/** What an entry keeps of a change: the fields that differ, with secrets named but not shown. */
export type Change = { before: Prisma.InputJsonObject | null; after: Prisma.InputJsonObject | null };

/** Said in place of what nobody may read in the log. */
const HIDDEN = '(hidden)';

/** Fields whose value is a secret, or may hold one. */
const SECRETS = new Set<string>([
  ...SECRET_FIELDS,
  ...['secret', 'apiKey', 'password', 'passwordHash', 'token', 'hash'],
]);

/** Addresses that may carry a token behind their host, as those of chat products do. */
const SECRET_PATHS = new Set(['receiver']);

/** Not worth an entry: they follow from the change, or from the passing of time. */
const IGNORED_FIELDS = new Set([
  'updatedAt',
  'lastCheckedAt',
  'lastResponseTime',
  'lastUsedAt',
  'lastSeenAt',
]);

/** The fields of `before` and `after` that differ; null stands for what was not there yet, or is no more. */
export function describeChange(before: Fields | null, after: Fields | null): Change {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed = [...names].filter(
    (name) => !IGNORED_FIELDS.has(name) && encode(before?.[name]) !== encode(after?.[name]),
  );
  return { before: before && pick(before, changed), after: after && pick(after, changed) };
}

function encode(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

function pick(fields: Fields, names: string[]): Prisma.InputJsonObject {
  return Object.fromEntries(names.map((name) => [name, readable(name, fields[name] ?? null)]));
}

/** A secret that is set is only said to be there; of headers the names are shown, of receivers the host. */
function readable(name: string, value: Value): Value {
  if (value === null) return null;
  if (SECRETS.has(name) || /sealed$/i.test(name)) {
    if (typeof value !== 'object') return HIDDEN;
    return Object.fromEntries(Object.keys(value).map((part) => [part, HIDDEN]));
  }
  if (SECRET_PATHS.has(name) && typeof value === 'string') return `${new URL(value).origin}/${HIDDEN}`;
  return value;
}
