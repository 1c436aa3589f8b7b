import { randomBytes } from 'node:crypto';
import type { ApiClient } from '@/e2e/support/api-client';
import { createId } from '@/lib/core/ids';
import { pngImage } from '@/lib/core/images/testing/samples';
import type { Database } from '@/lib/platform/db/client';
import type { ImagePlace } from '@/lib/schemas/status-pages/page-images';

/** An address on this machine without a listener. */
export const CLOSED = 'http://127.0.0.1:9/';

/**
 * The caller that creates objects, the receiver of webhooks, and the service's database for what the API cannot create.
 * The API alone cannot add members: `addMember` returns the ID of one.
 */
export type Maker = { api: ApiClient; receiverUrl: string; db: Database; addMember(): Promise<string> };

/**
 * How to create the object of a path, by the whole path, or else up to its last parameter. Returns the value of the parameters.
 */
const FIXTURES: Record<string, (maker: Maker) => Promise<string>> = {
  '/monitors/{id}': ({ api }) => make(api, '/monitors', { name: 'Shop', url: CLOSED, enabled: false }),
  // Paused monitors cannot be checked.
  '/monitors/{id}/check': ({ api }) => make(api, '/monitors', { name: 'Shop', url: CLOSED, interval: 300 }),
  '/monitors/{id}/rotate-heartbeat': ({ api }) =>
    make(api, '/monitors', { name: 'Backup', type: 'heartbeat', period: 3600, enabled: false }),
  '/monitors/by-ref/{ref}': async ({ api }) => {
    const ref = `monitor-${randomBytes(8).toString('hex')}`;
    await make(api, '/monitors', { name: 'Shop', url: CLOSED, enabled: false, ref });
    return ref;
  },
  '/status-pages/{slug}': async ({ api }) => {
    const slug = `page-${randomBytes(8).toString('hex')}`;
    await make(api, '/status-pages', { name: 'Acme', slug, monitors: [], published: true });
    return slug;
  },
  '/status-pages/{slug}/logo': (maker) => makeImage('logo', maker),
  '/status-pages/{slug}/dark-logo': (maker) => makeImage('darkLogo', maker),
  '/status-pages/{slug}/favicon': (maker) => makeImage('favicon', maker),
  '/status-pages/{slug}/subscribers/{id}': async (maker) => {
    const slug = await makeFixture('/status-pages/{slug}', maker);
    const { id: pageId } = await maker.db.statusPage.findUniqueOrThrow({ where: { slug } });
    const [id, now] = [createId('subscriber'), new Date()];
    const at = { requestedAt: now, confirmedAt: now, createdAt: now };
    const tokenHash = randomBytes(32);
    await maker.db.pageSubscriber.create({
      data: { id, pageId, email: `${id}@example.com`, language: 'en', tokenHash, ...at },
    });
    return `${slug}/subscribers/${id}`;
  },
  // There can be 100 at a time.
  '/incident-templates/{id}': async ({ api }) => {
    const { body: templates } = await api('GET', '/incident-templates');
    for (const { id } of templates.slice(0, -50)) await api('DELETE', `/incident-templates/${id}`);
    return make(api, '/incident-templates', { name: 'Outage' });
  },
  '/incidents/{id}': ({ api }) => make(api, '/incidents', { title: 'Something is wrong' }),
  '/incidents/{id}/updates/{updateId}': async (maker) => {
    const incident = await makeFixture('/incidents/{id}', maker);
    const update = { message: 'More soon.', publishAt: new Date(Date.now() + 3_600_000) };
    const { body } = await maker.api('POST', `/incidents/${incident}/updates`, update);
    return `${incident}/updates/${body.scheduledUpdates[0].id}`;
  },
  // With a ledger that began yesterday.
  '/monitors/{id}/corrections': async (maker) => {
    const monitorId = await makeFixture('/monitors/{id}', maker);
    const data = { from: new Date(Date.now() - 86_400_000) };
    await maker.db.statusPeriod.updateMany({ where: { monitorId, to: null }, data });
    return monitorId;
  },
  // A time that the ledger has: since the monitor was created.
  '/monitors/{id}/corrections/{correctionId}': async (maker) => {
    const monitor = await makeFixture('/monitors/{id}', maker);
    const { body } = await maker.api('GET', `/monitors/${monitor}`);
    const time = { from: body.createdAt, to: new Date(Date.parse(body.createdAt) + 1) };
    const correction = { ...time, state: 'maintenance', reason: 'Upgrade' };
    return `${monitor}/corrections/${await make(maker.api, `/monitors/${monitor}/corrections`, correction)}`;
  },
  '/events/{id}': ({ api }) => make(api, '/events', { title: 'Deploy 42' }),
  // An active window for a paused monitor: it can be ended, and the engine ignores it.
  '/maintenance/{id}': async (maker) =>
    make(maker.api, '/maintenance', {
      title: 'Upgrade',
      monitors: [await makeFixture('/monitors/{id}', maker)],
      startsAt: new Date(Date.now() - 3_600_000),
      endsAt: new Date(Date.now() + 86_400_000),
    }),
  // There can be 50 at a time.
  '/regions/{id}': async ({ api }) => {
    const { body: regions } = await api('GET', '/regions');
    for (const { id } of regions.slice(3, -30)) await api('DELETE', `/regions/${id}`);
    return make(api, '/regions', { name: `Office ${randomBytes(8).toString('hex')}`, place: 'hamburg' });
  },
  '/regions/{id}/tokens/{tokenId}': async (maker) => {
    const region = await makeFixture('/regions/{id}', maker);
    return `${region}/tokens/${await make(maker.api, `/regions/${region}/tokens`, { name: 'Office' })}`;
  },
  '/status-pages/{slug}/incidents/import': async (maker) => {
    const slug = await makeFixture('/status-pages/{slug}', maker);
    const items = Array.from({ length: 20 }, (_, index) => ({ name: `Component ${index}` }));
    await maker.api('PUT', `/status-pages/${slug}`, { sections: [{ name: 'Services', items }] });
    return slug;
  },
  '/status-pages/{slug}/tokens/{tokenId}': async (maker) => {
    const slug = await makeFixture('/status-pages/{slug}', maker);
    return `${slug}/tokens/${await make(maker.api, `/status-pages/${slug}/tokens`, { name: 'Feed reader' })}`;
  },
  // For events that do not occur here, so that nothing changes during a test.
  '/webhooks/{id}': ({ api, receiverUrl }) =>
    make(api, '/webhooks', { url: receiverUrl, events: ['monitor.up'] }),
  '/webhooks/by-ref/{ref}': async ({ api, receiverUrl }) => {
    const ref = `webhook-${randomBytes(8).toString('hex')}`;
    await make(api, '/webhooks', { url: receiverUrl, events: ['monitor.up'], ref });
    return ref;
  },
  '/email-recipients/{id}': ({ api }) =>
    make(api, '/email-recipients', { email: `alerts-${randomBytes(8).toString('hex')}@example.com` }),
  // A confirmation can be sent again after ten minutes.
  '/email-recipients/{id}/resend-confirmation': async (maker) => {
    const id = await makeFixture('/email-recipients/{id}', maker);
    await maker.db.emailRecipient.update({ where: { id }, data: { requestedAt: null } });
    return id;
  },
  '/deliveries/{id}': async (maker) => {
    const webhook = await makeFixture('/webhooks/{id}', maker);
    return make(maker.api, `/webhooks/${webhook}/test`);
  },
  '/api-keys/{id}': ({ api }) => make(api, '/api-keys', { name: 'A key' }),
  '/members/{id}': ({ addMember }) => addMember(),
  '/invitations/{id}': ({ api }) =>
    make(api, '/invitations', { email: `invited-${randomBytes(8).toString('hex')}@example.com` }),
};

/** The part of a path up to its last parameter; null without parameters. */
export function fixturePath(path: string): string | null {
  return /^.*\{\w+\}/.exec(path)?.[0] ?? null;
}

/** Creates the object of a path such as `/monitors/{id}/results`. Throws for unknown paths. */
export async function makeFixture(path: string, maker: Maker): Promise<string> {
  const fixture = FIXTURES[path] ?? FIXTURES[fixturePath(path) ?? ''];
  if (!fixture) throw new Error(`add a fixture for ${path}`);
  return fixture(maker);
}

/** Creates an object for each of the paths that names one; by the part of the path up to its last parameter. */
export async function makeAllFixtures(paths: string[], maker: Maker): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const path of paths) {
    const key = fixturePath(path);
    if (key === null || made.has(key)) continue;
    made.set(key, await makeFixture(path, maker));
  }
  return made;
}

/** A placeholder in bodies for a monitor of the caller. */
export const OWN_MONITOR = 'mon_own';

/** A body with OWN_MONITOR replaced by the ID that `makeMonitor` returns. */
export async function withOwnMonitor<T>(body: T, makeMonitor: () => Promise<string>): Promise<T | string> {
  const place = `"${OWN_MONITOR}"`;
  if (typeof body !== 'string' || !body.includes(place)) return body;
  return body.replaceAll(place, JSON.stringify(await makeMonitor()));
}

/** `path` with every parameter replaced by `text`. */
export function fillEach(path: string, text: string): string {
  return path.replace(/\{\w+\}/g, () => text);
}

/** `path` with its parameters replaced by the result of `makeFixture`. */
export function fillPath(path: string, value: string): string {
  return path.replace(/\{.*\}/, () => value);
}

/** An unknown ID or slug of the same form. The IDs of regions are numbers in a row. */
export function unknownLike(value: string): string {
  if (/^loc_\d+$/.test(value)) return 'loc_32767';
  return value.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
}

/** A page with an uploaded image. */
async function makeImage(place: ImagePlace, maker: Maker): Promise<string> {
  const slug = await makeFixture('/status-pages/{slug}', maker);
  const { id: pageId } = await maker.db.statusPage.findUniqueOrThrow({ where: { slug } });
  const bytes = pngImage({ width: 2, height: 2 });
  await maker.db.pageImage.create({ data: { pageId, place, name: `${'0'.repeat(32)}-2x2.png`, bytes } });
  return slug;
}

async function make(api: ApiClient, path: string, body?: object): Promise<string> {
  const response = await api('POST', path, body);
  if (response.status >= 300)
    throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body.id;
}
