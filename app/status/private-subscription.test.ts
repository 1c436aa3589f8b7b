import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';

/** What only visitors who are admitted may see. */
const SECRETS = ['Submarine', 'Torpedo', 'Periscopes are down', 'logo.example', 'links.example', 'turquoise'];

const ACCESS = {
  password: { password: 'correct horse' },
  ip: { allowedCidrs: ['203.0.113.0/24'] },
  members: {},
};

const setting = borrowTenant();
let monitor: string;
let pageId: string;

beforeAll(async () => {
  const { tenant } = setting;
  const target = { name: 'Submarine', url: 'http://127.0.0.1:9/', enabled: false };
  monitor = (await tenant.api('POST', '/monitors', target)).body.id;
  const created = await tenant.api('POST', '/status-pages', {
    name: 'Periscope',
    slug: 'periscope',
    monitors: [monitor],
    published: true,
    logoUrl: 'https://logo.example/logo.svg',
    announcement: { text: 'Periscopes are down', endsAt: new Date(Date.now() + 3_600_000).toISOString() },
    links: [{ label: 'Dock', url: 'https://links.example/' }],
    customCss: 'main { outline: 1px solid turquoise }',
  });
  expect(created).toMatchObject({ status: 201 });
  pageId = created.body.id;
});
// The limit is ten attempts a minute per address.
let visitors = 0;
let visitor: Record<string, string>;
beforeEach(() => {
  visitors += 1;
  visitor = { 'x-forwarded-for': `198.51.104.${visitors}` };
});

const at = (path: string, init: RequestInit = {}) =>
  fetch(`${setting.service.url}/status/${path}`, { headers: visitor, redirect: 'manual', ...init });
const post = (path: string, fields: Record<string, string> = {}) =>
  at(path, { method: 'POST', body: new URLSearchParams(fields) });
const subscribers = () =>
  setting.backdoor.db.pageSubscriber.count({ where: { pageId, confirmedAt: { not: null } } });
const leaksOf = (text: string) => SECRETS.filter((secret) => text.includes(secret));

/** The path below /status/ of a link in the latest email to an address with such a subject. */
async function linkFrom(email: string, subject: RegExp, step: string) {
  const { subject: sent, text, html } = await setting.service.waitForMail(email, subject);
  const [, path = ''] = new RegExp(`${setting.service.url}/status/(\\S+/${step}\\?\\S+)`).exec(text) ?? [];
  expect(path).not.toBe('');
  return { path, mail: `${sent} ${text} ${html}` };
}

describe.each(['password', 'ip', 'members'] as const)(
  'who subscribed before a page became visible by %s',
  (visibility) => {
    const email = `${visibility}@example.com`;
    const hide = async () => {
      const fields = { visibility, ...ACCESS[visibility] };
      const { status } = await setting.tenant.api('PUT', '/status-pages/periscope', fields);
      expect(status).toBe(200);
    };

    it('gets emails without details, whose link shows no more than a name, and ends the subscription', async () => {
      await setting.tenant.api('PUT', '/status-pages/periscope', { visibility: 'public' });
      await post('periscope/subscribe', { email });
      const request = await linkFrom(email, /^Confirm/, 'confirm');
      expect((await post(request.path)).status).toBe(200);
      const shown = await (await at('periscope')).text();
      expect(leaksOf(shown)).toEqual(
        expect.arrayContaining(SECRETS.filter((secret) => secret !== 'Torpedo')),
      );

      await hide();
      const incident = { title: 'Torpedo', description: 'Torpedo', affectedMonitors: [monitor] };
      expect((await setting.tenant.api('POST', '/incidents', incident)).status).toBe(201);
      const notice = await linkFrom(email, /^Periscope: /, 'unsubscribe');
      expect(leaksOf(notice.mail)).toEqual([]);

      const link = await at(notice.path);
      const html = `${await link.text()} ${JSON.stringify([...link.headers])}`;
      expect([link.status, leaksOf(html)]).toEqual([200, []]);
      expect(html).toContain('Periscope');
      const saved = await post(notice.path.replace('/unsubscribe?', '/subscription?'), {
        scope: 'all',
        language: 'de',
      });
      expect([saved.status, leaksOf(await saved.text())]).toEqual([200, []]);
      const ended = await post(notice.path, { 'List-Unsubscribe': 'One-Click' });
      expect([ended.status, leaksOf(await ended.text())]).toEqual([200, []]);
      expect(await subscribers()).toBe(0);
    });

    it('cannot subscribe again without access', async () => {
      await hide();
      const before = await setting.backdoor.db.pageSubscriber.count({ where: { pageId } });
      const hidden = await post('periscope/subscribe', { email: 'stranger@example.com' });
      const unknown = await post('there-is-none/subscribe', { email: 'stranger@example.com' });
      if (visibility === 'ip') {
        expect([hidden.status, await hidden.text()]).toEqual([404, await unknown.text()]);
      } else {
        expect([hidden.status, leaksOf(await hidden.text())]).toEqual([
          visibility === 'password' ? 403 : 303,
          [],
        ]);
      }
      expect(await setting.backdoor.db.pageSubscriber.count({ where: { pageId } })).toBe(before);
    });
  },
);
