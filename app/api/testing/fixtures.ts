import { randomBytes } from 'node:crypto';
import type { ApiClient } from '@/e2e/support/api-client';
import { createId } from '@/lib/core/ids';
import type { Database } from '@/lib/platform/db/client';

/** Nothing listens there, and nothing beyond this machine is asked. */
export const CLOSED = 'http://127.0.0.1:9/';

/**
 * Who makes objects, where the webhooks lead, and the service's database for what no API makes. Nobody becomes a member by
 * the API alone: `addMember` answers its id.
 */
export type Maker = { api: ApiClient; receiverUrl: string; db: Database; addMember(): Promise<string> };

/**
 * How to make an object that a path names, up to its last parameter; the text is what stands from the first parameter to
 * there.
 */
const FIXTURES: Record<string, (maker: Maker) => Promise<string>> = {
  '/monitors/{id}': ({ api }) => make(api, '/monitors', { name: 'Shop', url: CLOSED, enabled: false }),
  '/status-pages/{slug}': async ({ api }) => {
    const slug = `page-${randomBytes(8).toString('hex')}`;
    await make(api, '/status-pages', { name: 'Acme', slug, monitors: [], published: true });
    return slug;
  },
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
  '/incidents/{id}': ({ api }) => make(api, '/incidents', { title: 'Something is wrong' }),
  // One that goes on, of a monitor that is paused: it can be ended, and the engine has nothing to do.
  '/maintenance/{id}': async (maker) =>
    make(maker.api, '/maintenance', {
      title: 'Upgrade',
      monitors: [await makeFixture('/monitors/{id}', maker)],
      startsAt: new Date(Date.now() - 3_600_000),
      endsAt: new Date(Date.now() + 86_400_000),
    }),
  // Of events that do not happen here: what a test looks at stays as it is.
  '/webhooks/{id}': ({ api, receiverUrl }) =>
    make(api, '/webhooks', { url: receiverUrl, events: ['monitor.up'] }),
  '/deliveries/{id}': async (maker) => {
    const webhook = await makeFixture('/webhooks/{id}', maker);
    return make(maker.api, `/webhooks/${webhook}/test`);
  },
  '/api-keys/{id}': ({ api }) => make(api, '/api-keys', { name: 'A key' }),
  '/members/{id}': ({ addMember }) => addMember(),
  '/invitations/{id}': ({ api }) =>
    make(api, '/invitations', { email: `invited-${randomBytes(8).toString('hex')}@example.com` }),
};

/** The part of a path up to its last parameter, or null where it has none. */
export function fixturePath(path: string): string | null {
  return /^.*\{\w+\}/.exec(path)?.[0] ?? null;
}

/** Makes the object that a path such as `/monitors/{id}/results` is about. Throws where nobody has said how. */
export async function makeFixture(path: string, maker: Maker): Promise<string> {
  const key = fixturePath(path) ?? '';
  const fixture = FIXTURES[key];
  if (!fixture) throw new Error(`add a fixture for ${path}`);
  return fixture(maker);
}

/** Stands in bodies for a monitor of the caller's, where one has to be named. */
export const OWN_MONITOR = 'mon_own';

/** A body with the id that `makeMonitor` answers in the place of OWN_MONITOR. */
export async function withOwnMonitor<T>(body: T, makeMonitor: () => Promise<string>): Promise<T | string> {
  const place = `"${OWN_MONITOR}"`;
  if (typeof body !== 'string' || !body.includes(place)) return body;
  return body.replaceAll(place, JSON.stringify(await makeMonitor()));
}

/** `path` with `text` in the place of each parameter. */
export function fillEach(path: string, text: string): string {
  return path.replace(/\{\w+\}/g, () => text);
}

/** `path` with what `makeFixture` answered in the place of its parameters. */
export function fillPath(path: string, value: string): string {
  return path.replace(/\{.*\}/, () => value);
}

/** An id or slug of the same form that nothing has. */
export function unknownLike(value: string): string {
  return value.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
}

async function make(api: ApiClient, path: string, body?: object): Promise<string> {
  const answer = await api('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}
