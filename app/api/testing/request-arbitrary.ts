import fc from 'fast-check';
import type { MonitorType } from '@/lib/checks/types';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { CLOSED, fixturePath, OWN_MONITOR } from './fixtures';
import { hostileBody, hostileUrlText, NASTIEST_TEXTS, UNDECODABLE } from './hostile';
import type { JsonSchema } from './json-schema';
import type { DocumentedOperation } from './operations';
import { SAMPLE_FILE } from './sample-file';
import { arbitraryFrom, type KnownFields } from './schema-arbitrary';

/** A request of the fuzzer. `own`: the path names an object created for it. */
export type FuzzedRequest = {
  param: { own: true } | { own: false; text: string };
  /** With its question mark, or empty. */
  query: string;
  body: string | Uint8Array<ArrayBuffer> | null;
  idempotencyKey: string | null;
};

/** All on this machine: the service must not call anyone else. */
const TARGETS: Record<string, string> = {
  http: CLOSED,
  tcp: '127.0.0.1:9',
  ping: '127.0.0.1',
  dns: 'dns://127.0.0.1:9/localhost',
  heartbeat: '',
  group: '',
} satisfies Record<MonitorType, string>;
const HARMLESS = new Set(Object.values(TARGETS));

const slug = fc.stringMatching(/^[a-z]{3}[a-z0-9]{17}$/);
const KNOWN: KnownFields = {
  url: fc.constant(CLOSED),
  regions: fc.uniqueArray(fc.constantFrom(...BUILT_IN_REGION_IDS), { minLength: 1 }),
  slug,
  monitors: fc.constant([]),
  affectedMonitors: fc.constant([]),
  dependsOn: fc.constant([]),
  members: fc.constant([]),
  impacts: fc.constant({}),
  logoUrl: fc.constantFrom(null, 'https://pharos.test/logo.png'),
  darkLogoUrl: fc.constantFrom(null, 'https://pharos.test/logo-dark.png'),
  faviconUrl: fc.constantFrom(null, 'https://pharos.test/favicon.png'),
  customCss: fc.constantFrom(null, '.banner { border-radius: 0 }'),
  links: fc.constantFrom([], [{ label: 'Support', url: 'mailto:help@pharos.test' }]),
  customDomain: fc.oneof(
    fc.constant(null),
    slug.map((label) => `${label}.invalid`),
  ),
  email: slug.map((name) => `${name}@example.com`),
  // An API key cannot create owners.
  role: fc.constantFrom('admin', 'member', 'viewer'),
  publishAt: fc.constant(new Date(Date.now() + 7_200_000).toISOString()),
  expiresAt: fc.constantFrom(null, '2099-01-01T00:00:00+02:00'),
  startsAt: fc.constant('2098-01-31T22:00:00+01:00'),
  endsAt: fc.constant('2098-02-01T02:00:00+02:00'),
  rrule: fc.constantFrom(null, 'FREQ=DAILY', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=12', 'FREQ=HOURLY;INTERVAL=6'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
};

/** The time of a correction, which the ledger of its fixture has. */
const CORRECTED = {
  from: fc.constant(new Date(Date.now() - 7_200_000).toISOString()),
  to: fc.constant(new Date(Date.now() - 3_600_000).toISOString()),
};

/** Maintenance requires a monitor, a bulk and an import contain some; everything else may have none. A path sets its `ref` itself. */
function knownFor(path: string): KnownFields {
  if (path.startsWith('/events'))
    return { ...KNOWN, monitors: fc.constant([OWN_MONITOR]), occurredAt: fc.constant(null) };
  if (path.endsWith('/corrections')) return { ...KNOWN, ...CORRECTED };
  if (path.startsWith('/maintenance')) return { ...KNOWN, monitors: fc.constant([OWN_MONITOR]) };
  if (path.endsWith('{ref}')) return { ...KNOWN, ref: fc.constant(undefined) };
  if (!MANY.has(path)) return KNOWN;
  const { monitors, ...known } = KNOWN;
  return known;
}

const MANY = new Set(['/monitors/bulk', '/monitors/import']);

/** Requests to one operation: valid ones, and ones with a broken path, query, body or key. */
export function requestsTo(operation: DocumentedOperation): fc.Arbitrary<FuzzedRequest> {
  const { path, query, body, isFile } = operation;
  const right: Parts = {
    param: fc.constant({ own: true } as const),
    query: validQuery(query),
    body:
      body === null
        ? fc.constant(isFile ? SAMPLE_FILE.body : null)
        : validBody(path, body).map((value) => JSON.stringify(value)),
    idempotencyKey: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.uuid()),
  };
  const brokenParam = hostileUrlText.map((text) => ({ own: false, text }) as const);
  const brokenKey = fc.constantFrom('', ' ', 'x'.repeat(256), '\xe9', '__proto__');
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(right) },
    { weight: isFile ? 8 : 0, arbitrary: fc.record({ ...right, body: brokenFile }) },
    { weight: body === null ? 0 : 8, arbitrary: fc.record({ ...right, body: brokenBody(operation) }) },
    { weight: fixturePath(path) === null ? 0 : 3, arbitrary: fc.record({ ...right, param: brokenParam }) },
    { weight: 2, arbitrary: fc.record({ ...right, query: brokenQuery(query) }) },
    {
      weight: operation.method === 'POST' ? 1 : 0,
      arbitrary: fc.record({ ...right, idempotencyKey: brokenKey }),
    },
  );
}

/** A file that was cut, changed, or is another one. */
const brokenFile = fc.oneof(
  fc.nat({ max: SAMPLE_FILE.body.length }).map((length) => SAMPLE_FILE.body.subarray(0, length)),
  fc
    .record({ at: fc.nat({ max: SAMPLE_FILE.body.length - 1 }), byte: fc.nat({ max: 255 }) })
    .map(({ at, byte }) => {
      const changed = Buffer.from(SAMPLE_FILE.body);
      changed[at] = byte;
      return changed;
    }),
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  fc.string(),
);

type Parts = { [Part in keyof FuzzedRequest]: fc.Arbitrary<FuzzedRequest[Part]> };

/**
 * The smallest body with one field, each in turn, set to one of the worst values. Each field gets every `stride`-th of them, starting with
 * another one, so that every value is in some fields: they all share the same schemas.
 */
export function nastyBodies({ path, body }: DocumentedOperation, stride: number): string[] {
  if (body === null) return [];
  const least = leastBody({ path, body });
  return Object.keys(body.properties ?? {}).flatMap((field, start) =>
    NASTIEST_TEXTS.filter((_, index) => (start + index) % stride === 0).map((text) => {
      const entries = Object.entries({ ...(least as object), [field]: MARK });
      const json = JSON.stringify(Object.fromEntries(entries)).replace(JSON.stringify(MARK), () => text);
      return tameText(path, json) as string;
    }),
  );
}

const MARK = '\ue000';

/** The smallest body that is accepted. Whether an endpoint needs a URL depends on its format. */
export function leastBody({ path, body }: { path: string; body: JsonSchema }): unknown {
  const needed = [...(body.required ?? []), ...(path === '/webhooks' ? ['url'] : [])];
  const required = { ...body, properties: pick(body.properties ?? {}, needed) };
  const [value] = fc.sample(arbitraryFrom(required, knownFor(path)), { numRuns: 1, seed: 1 });
  return tame(path, value);
}

/** The query with the required parameters, from `known`. */
export function leastQuery({ required = [] }: JsonSchema, known: Record<string, string>): string {
  return toSearch(pick(known, required));
}

function validBody(path: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  return arbitraryFrom(schema, knownFor(path)).map((value) => tame(path, fitTogether(path, value)));
}

function brokenBody({ path, body, bodyIsOptional }: DocumentedOperation): Parts['body'] {
  return fc.oneof(
    { weight: 9, arbitrary: hostileBody(validBody(path, body ?? {})).map((text) => tameText(path, text)) },
    { weight: 1, arbitrary: fc.constant(bodyIsOptional ? null : '') },
  );
}

/** Adjusts fields that depend on each other, which the schema does not express. */
function fitTogether(path: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (path.endsWith('/subscribers/import')) return fitSource(value);
  if (!path.startsWith('/monitors')) return value;
  if (MANY.has(path)) return mapMonitors(value, (monitor) => fitTogether('/monitors', monitor));
  const { body, ...rest } = value;
  const type = typeof rest.type === 'string' ? rest.type : 'http';
  const takesBody = rest.method !== undefined && rest.method !== 'GET' && rest.method !== 'HEAD';
  return {
    ...rest,
    ...('url' in rest || 'type' in rest ? { url: TARGETS[type] ?? CLOSED, type } : {}),
    ...(takesBody && body !== undefined ? { body } : {}),
  };
}

/** Only those who declare that addresses are confirmed state where. */
function fitSource({ source, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest.confirmed === true ? { ...rest, source: source ?? 'Statuspage' } : rest;
}

/** Accepted input must not make the service call anyone, or wait for long. */
function tame(path: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (MANY.has(path)) return mapMonitors(value, (monitor) => tame('/monitors', monitor));
  const { url, enabled, timeout } = value;
  const tamed = { ...value };
  // No target contains a space: anything not known to be harmless is rejected.
  if (typeof url === 'string' && !HARMLESS.has(url)) tamed.url = `not a target ${url}`;
  // A backtest of stored results and a correction create no monitor, and call no one.
  if (!path.startsWith('/monitors') || /\/(backtest|corrections)$/.test(path)) return tamed;
  if (path === '/monitors/test')
    return typeof timeout === 'number' || timeout === undefined ? { ...tamed, timeout: 1 } : tamed;
  return enabled === undefined || enabled === true ? { ...tamed, enabled: false } : tamed;
}

/** The value itself if its monitors are no list, or stay as they are. */
function mapMonitors(value: Record<string, unknown>, change: (monitor: unknown) => unknown) {
  const { monitors } = value;
  if (!Array.isArray(monitors)) return value;
  const changed = monitors.map(change);
  return JSON.stringify(changed) === JSON.stringify(monitors) ? value : { ...value, monitors: changed };
}

function tameText(path: string, body: string | Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  if (typeof body !== 'string') return body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  if (!isObject(value)) return body;
  const tamed = tame(path, value) as Record<string, unknown>;
  const changed = Object.entries(tamed).filter(([key, field]) => value[key] !== field);
  if (changed.length === 0) return body;
  // Later keys win; the rest stays as written, which JSON.stringify could not reproduce.
  const added = changed.map(([key, field]) => `${JSON.stringify(key)}:${JSON.stringify(field)}`).join(',');
  const open = body.trimEnd().slice(0, -1);
  return `${open}${open.trim() === '{' ? '' : ','}${added}}`;
}

function validQuery(query: JsonSchema): fc.Arbitrary<string> {
  return arbitraryFrom(query).map((value) => toSearch(value as Record<string, string>));
}

function brokenQuery({ properties = {} }: JsonSchema): fc.Arbitrary<string> {
  const name = fc.constantFrom(...Object.keys(properties), 'unknown', '__proto__', 'constructor', '', '%00');
  const pairs = fc.array(
    fc.tuple(name, fc.oneof(hostileUrlText, fc.constantFrom('', '0', '101', '999', ...UNDECODABLE))),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  return pairs.map((all) => `?${all.map(([key, text]) => `${key}=${text}`).join('&')}`);
}

function toSearch(parameters: Record<string, string>): string {
  const search = new URLSearchParams(parameters).toString();
  return search === '' ? '' : `?${search}`;
}

function pick<T>(record: Record<string, T>, names: string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
