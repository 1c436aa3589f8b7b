import { randomBytes } from 'node:crypto';
import { fillPath, fixturePath, makeFixture } from '@/app/api/testing/fixtures';
import { pngChunk, pngImage } from '@/lib/core/images/testing/samples';
import { type KnownValues, largest } from './largest';
import type { ApiOperation } from './read-operations';
import type { CostsWorld } from './world';

/** A request as sent. `expected` is the status that shows it was handled as meant. */
export type CostRequest = {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** A body that is no text. */
  file?: Buffer<ArrayBuffer>;
};

const unique = () => randomBytes(10).toString('hex');
const fill = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'pt'];
const translated = (fields: object) => Object.fromEntries(LANGUAGES.map((language) => [language, fields]));

/** Within the size of patterns that are accepted, and expensive to search with. */
const PATTERN = '(?:[a-z0-9]{1,9}[_.-]?){1,9}$';
const ASSERTIONS = Array.from({ length: 20 }, (_, index) => ({
  source: 'body',
  property: null,
  comparison: 'matches',
  target: `${PATTERN.slice(0, -1)}${index}$`,
}));

/** Fields that mean the same everywhere. */
function commonValues({ monitorIds, targetUrl }: CostsWorld): KnownValues {
  return {
    url: `${targetUrl}?${fill('query&', 1500)}`,
    type: 'http',
    method: 'POST',
    body: fill('body ', 64 * 1024),
    headers: Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`X-${index}`, fill('value ', 100).trim()]),
    ),
    regions: ['eu-west'],
    resolvers: Array.from({ length: 8 }, (_, index) => `192.0.2.${index + 1}`),
    timeout: 1,
    confirmInterval: null,
    keyword: null,
    assertions: ASSERTIONS,
    send: undefined,
    period: undefined,
    schedule: undefined,
    grace: undefined,
    dependsOn: monitorIds.slice(0, 10),
    ref: undefined,
    version: undefined,
    publishedOn: [],
    publishOn: undefined,
    enabled: false,
    slug: `page-${unique()}`,
    monitors: monitorIds,
    affectedMonitors: monitorIds,
    affectedComponents: [],
    impacts: Object.fromEntries(monitorIds.map((id) => [id, 'minor'])),
    status: 'identified',
    severity: 'minor',
    translations: translated({ title: fill('Slow checkout ', 200), description: fill('ü', 5000) }),
    customDomain: null,
    logoUrl: `https://example.com/${fill('logo/', 2000)}`,
    darkLogoUrl: `https://example.com/${fill('logo/', 2000)}`,
    faviconUrl: `https://example.com/${fill('icon/', 2000)}`,
    customCss: fill('.banner { border-radius: 0; }\n', 19_980),
    visibility: 'public',
    password: null,
    allowedCidrs: null,
    primaryColor: '#123456',
    backgroundColor: '#123456',
    textColor: '#fedcba',
    timeZone: 'America/Argentina/Buenos_Aires',
    email: `${unique()}@example.com`,
    role: 'viewer',
    startedAt: inDays(-1),
    occurredAt: inDays(-1),
    publishAt: undefined,
    expiresAt: inDays(30),
    endsAt: inDays(30),
    startsAt: inDays(1),
    since: inDays(-1),
    rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU',
    overlapHours: 1,
    immediate: false,
    resolveAfterMinutes: undefined,
    automaticIncidents: { show: 'immediately' },
    announcement: {
      text: fill('Announcement ', 299).trim(),
      url: 'https://example.com/',
      endsAt: inDays(30),
    },
    sections: undefined,
    links: Array.from({ length: 12 }, (_, index) => ({
      label: `Link ${index}`,
      url: `https://example.com/${index}/${fill('path/', 2000)}`,
      place: 'footer',
    })),
    events: ['monitor.down', 'monitor.up'],
    rules: Array.from({ length: 20 }, (_, index) => ({
      tags: Array.from({ length: 20 }, (_, tag) => `tag ${index} ${tag}`),
      monitors: monitorIds.slice(0, 100),
      kinds: ['monitor.down', 'monitor.up'],
      schedule: { days: ['monday', 'sunday'], from: '09:00', to: '17:30', timeZone: 'Europe/Berlin' },
    })),
    format: 'custom',
    credentials: undefined,
    template: `{"text": "{{ event }} ${'{% if monitor %}{{ monitor.name | escape }}{% endif %} '.repeat(180)}"}`,
    csv:
      'email\n' +
      Array.from({ length: 4900 }, (_, index) => `person-${index}@customer-${index}.example.com`).join('\n'),
    language: 'de',
    days: 30,
    atomic: false,
    upsert: false,
    place: 'hamburg',
    scope: 'read',
  };
}

/** What only some operations need, by operation ID. */
const OWN_VALUES: Record<string, (world: CostsWorld) => KnownValues> = {
  createIncidentTemplate: () => ({
    impacts: undefined,
    translations: translated({ title: fill('ü', 200), message: fill('ü', 5000) }),
  }),
  updateIncidentTemplate: (world) => OWN_VALUES.createIncidentTemplate?.(world) ?? {},
  addIncidentUpdate: () => ({ translations: translated({ message: fill('ü', 5000) }) }),
  createMaintenance: () => ({
    translations: translated({ title: fill('ü', 200), message: fill('ü', 5000) }),
  }),
  updateMaintenance: (world) => OWN_VALUES.createMaintenance?.(world) ?? {},
  createMonitorCorrection: () => ({ from: inDays(-0.5), to: inDays(-0.4), state: 'maintenance' }),
  testMonitor: () => ({ enabled: true }),
  createRegion: () => ({ name: `Office ${unique()}` }),
  updateRegion: () => ({ name: `Office ${unique()}` }),
  updateScheduledUpdate: () => ({
    publishAt: inDays(2),
    translations: translated({ message: fill('ü', 5000) }),
  }),
  createMonitors: (world) => ({ monitors: manyMonitors(world) }),
  importIncidents: () => ({ source: 'Statuspage', incidents: manyIncidents() }),
  importMonitors: (world) => ({
    format: 'uptime-kuma',
    source: 'office',
    dryRun: false,
    monitors: manyMonitors(world).map((monitor, index) => ({ ...monitor, ref: `uptime-kuma-${index}` })),
  }),
};

/** As many as are accepted, with updates that fill the body, on every row of the page. */
function manyIncidents() {
  const updates = Array.from({ length: 20 }, (_, index) => ({
    status: 'identified',
    message: fill(`ü${index} `, 60),
    createdAt: inDays(-30),
  }));
  return Array.from({ length: 200 }, (_, index) => ({
    ref: `statuspage-${unique()}-${index}`,
    title: fill('Slow checkout ', 200).trim(),
    severity: 'major',
    startedAt: inDays(-31),
    resolvedAt: inDays(-30),
    rows: Array.from({ length: 20 }, (__, row) => `Component ${row}`),
    updates,
  }));
}

function manyMonitors({ targetUrl }: CostsWorld) {
  return Array.from({ length: 500 }, (_, index) => ({
    name: `Service ${index} ${fill('ü', 80)}`,
    url: `${targetUrl}/${index}?${fill('query&', 500)}`,
    assertions: ASSERTIONS.slice(0, 1),
    regions: ['us-east', 'eu-west', 'ap-southeast'],
    headers: { Authorization: fill('secret', 200) },
    tags: ['a', 'b', 'c'],
    enabled: false,
  }));
}

/** The worst query: the largest page, and what is expensive to filter or sort by. */
const QUERIES: Record<string, (world: CostsWorld) => Record<string, string>> = {
  listMonitors: () => ({ q: 'service', sort: 'status' }),
  getMonitorStats: () => ({ window: '90d' }),
  getPublicStatusPage: ({ slug }) => ({ slug }),
  checkTlsAllowed: () => ({ domain: 'status.example.com' }),
  getUptimeReport: ({ slug }) => ({
    statusPage: slug,
    month: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 7),
  }),
  exportUptimeReport: ({ slug }) => ({
    statusPage: slug,
    month: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 7),
  }),
};

/** The worst request that an operation accepts. Creates the object that its path names. */
export async function worstLegal(operation: ApiOperation, world: CostsWorld): Promise<CostRequest> {
  const { id, method, body, isFile, query } = operation;
  const path = await ownPath(operation, world);
  const paged: Record<string, string> =
    query.includes('limit') && id !== 'listMonitors' ? { limit: '100' } : {};
  const search = new URLSearchParams({ ...paged, ...QUERIES[id]?.(world) }).toString();
  const headers: Record<string, string> = operation.isPublic
    ? {}
    : { authorization: `Bearer ${world.apiKey}` };
  const request = { method, path: `/api${path}${search && `?${search}`}`, headers };
  if (isFile) return withFile(request, LARGEST_FILE);
  if (body === null) return request;
  const known = { ...commonValues(world), ...OWN_VALUES[id]?.(world) };
  return withBody(request, JSON.stringify(largest(body, known)));
}

/** The largest image that is accepted: every byte of it is checked. */
const LARGEST_FILE = pngImage({ width: 2, height: 2 }, [pngChunk('teXt', randomBytes(262_000))]);

/** Sends a file. */
export function withFile(request: CostRequest, file: Buffer<ArrayBuffer>): CostRequest {
  return { ...request, file, headers: { ...request.headers, 'content-type': 'image/png' } };
}

/** Sends a body as JSON. */
export function withBody(request: CostRequest, body: string): CostRequest {
  return { ...request, body, headers: { ...request.headers, 'content-type': 'application/json' } };
}

/** The oldest monitor, which has a history, for what only reads. */
async function ownPath({ method, path }: ApiOperation, world: CostsWorld): Promise<string> {
  if (method === 'GET' && /^\/monitors\/\{id\}/.test(path)) return fillPath(path, world.monitorIds[0] ?? '');
  if (path === '/monitors/{id}/check') {
    // In the region that has a worker.
    const monitor = { name: 'Shop', url: world.targetUrl, interval: 300, regions: ['eu-west'] };
    const { body } = await world.maker.api('POST', '/monitors', monitor);
    return fillPath(path, body.id);
  }
  return fixturePath(path) === null ? path : fillPath(path, await makeFixture(path, world.maker));
}
