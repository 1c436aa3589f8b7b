import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import type { SentMail } from '@/e2e/support/borrow-service';

const setting = borrowTenant();
/** The page, and one that is not published. */
const [PAGE, HIDDEN] = ['sub-acme', 'sub-hidden'];
let monitor: string;
let page: { id: string };

beforeAll(async () => {
  const { api } = setting.tenant;
  const target = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
  monitor = (await api('POST', '/monitors', target)).body.id;
  const body = { name: 'Acme', slug: PAGE, monitors: [monitor], published: true };
  page = (await api('POST', '/status-pages', body)).body;
  await api('POST', '/status-pages', { name: 'Hidden', slug: HIDDEN, monitors: [monitor] });
});
// The limit is ten attempts a minute per address.
let visitors = 0;
let visitor: Record<string, string>;
beforeEach(() => {
  visitors += 1;
  visitor = { 'x-forwarded-for': `198.51.103.${visitors}` };
});

const at = (path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(`${setting.service.url}/status/${path}`, { headers: { ...visitor, ...headers }, ...init });
const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  at(path, { method: 'POST', body: new URLSearchParams(fields), headers });
const subscribers = () => setting.backdoor.db.pageSubscriber.findMany({ where: { pageId: page.id } });
const mailTo = (address: string, subject: RegExp) => setting.service.waitForMail(address, subject);

/** The path below /status/ of a link in an email. */
function linkIn({ text }: SentMail, step: string): string {
  const [, path = ''] = new RegExp(`${setting.service.url}/status/(\\S+/${step}\\?\\S+)`).exec(text) ?? [];
  expect(path).not.toBe('');
  return path;
}

async function subscribeAndConfirm(email: string, choice: Record<string, string> = {}): Promise<void> {
  await post(`${PAGE}/subscribe`, { email, ...choice });
  const request = await mailTo(email, /^Confirm/);
  expect((await post(linkIn(request, 'confirm'))).status).toBe(200);
}

describe('a subscription', () => {
  it('is requested, confirmed by a button, notified of incidents, and ended with one click', async () => {
    const email = 'first-reader@example.com';
    const form = await at(`${PAGE}/subscribe`);
    expect(form.headers.get('cache-control')).toBe('no-store');
    const policy = form.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('script-src');
    const html = await form.text();
    expect(html).not.toContain('<script');
    expect(html).toContain(`<form action="/status/${PAGE}/subscribe" method="post">`);
    expect(await (await at(PAGE)).text()).toContain(`href="/status/${PAGE}/subscribe"`);

    const first = await post(`${PAGE}/subscribe`, { email: ' First-Reader@Example.com ' });
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const again = await post(`${PAGE}/subscribe`, { email });
    expect(await again.text()).toBe(await first.text());

    const request = await mailTo(email, /^Confirm your subscription to Acme$/);
    const confirm = linkIn(request, 'confirm');
    const token = new URLSearchParams(confirm.split('?')[1]).get('token') ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const { tokenHash } = await setting.backdoor.db.pageSubscriber.findFirstOrThrow({ where: { email } });
    expect(Buffer.from(tokenHash).toString('base64url')).not.toBe(token);
    // Mail scanners follow links.
    for (const method of ['GET', 'HEAD']) await at(confirm, { method });
    expect(await subscribers()).toMatchObject([{ email, confirmedAt: null }]);
    expect((await post(`${PAGE}/confirm?token=${'x'.repeat(43)}`)).status).toBe(404);
    expect(await (await post(confirm)).text()).toContain('You are subscribed');
    expect((await post(confirm)).status).toBe(200);
    expect(await (await post(`${PAGE}/subscribe`, { email })).text()).toBe(
      await (await post(`${PAGE}/subscribe`, { email })).text(),
    );

    await setting.tenant.api('POST', '/incidents', { title: 'Slow', affectedMonitors: [monitor] });
    const notification = await mailTo(email, /^Acme: Slow/);
    const leave = linkIn(notification, 'unsubscribe');
    expect(await (await at(leave)).text()).toContain('Your subscription');
    expect(await subscribers()).toHaveLength(1);
    expect((await post(leave.replace(/token=..../, 'token=0000'))).status).toBe(404);
    const oneClick = await post(leave, { 'List-Unsubscribe': 'One-Click' });
    expect([oneClick.status, oneClick.headers.get('location')]).toEqual([200, null]);
    expect(await subscribers()).toEqual([]);
    expect(await (await at(leave)).text()).toContain('You are unsubscribed');
    expect((await post(leave)).status).toBe(200);
    expect((await post(confirm)).status).toBe(404);
    expect((await setting.service.mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Confirm your subscription to Acme',
      'Acme: Slow (investigating)',
    ]);
  });

  it('is about the rows that its reader chooses, then and later behind the link in each email', async () => {
    const email = 'picky@example.com';
    const items = [{ monitorId: monitor, name: 'Storefront' }, { name: 'Hotline' }];
    const sections = [{ name: 'Everything', items }];
    const changed = await setting.tenant.api('PUT', `/status-pages/${PAGE}`, { sections });
    const { componentId } = changed.body.sections[0].items[1];
    const form = await (await at(`${PAGE}/subscribe`)).text();
    for (const name of ['Storefront', 'Hotline']) expect(form).toContain(name);
    const none = await post(`${PAGE}/subscribe`, { email, scope: 'rows' });
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining('Choose at least one system'),
    ]);
    await subscribeAndConfirm(email, { scope: 'rows', row: componentId });
    const all = 'omnivore@example.com';
    await subscribeAndConfirm(all, { scope: 'all' });
    await setting.tenant.api('POST', '/incidents', { title: 'Shop slow', affectedMonitors: [monitor] });
    const manage = linkIn(await mailTo(all, /Shop slow/), 'unsubscribe');
    expect(await setting.service.mailsTo(email)).toHaveLength(1);
    const listed = await setting.tenant.api('GET', `/status-pages/${PAGE}/subscribers`);
    expect(listed.body.map((one: { email: string; rows: string[] }) => [one.email, one.rows])).toEqual([
      [all, []],
      [email, [componentId]],
    ]);

    const shown = await (await at(manage)).text();
    expect(shown).toContain(all);
    expect(shown).toContain('checked="" value="all"');
    const save = manage.replace('/unsubscribe?', '/subscription?');
    expect((await post(save.replace(/token=..../, 'token=0000'), { scope: 'all' })).status).toBe(404);
    const refused = await post(save, { scope: 'rows', row: 'mon_elsewhere', language: 'en' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
    const saved = await (await post(save, { scope: 'rows', row: monitor, language: 'de' })).text();
    expect(saved).toContain('Your changes are saved.');
    const where = { email: all };
    const choice = { rowIds: [monitor], choseRows: true, language: 'de' };
    expect(await setting.backdoor.db.pageSubscriber.findFirstOrThrow({ where })).toMatchObject(choice);

    await setting.tenant.api('PUT', `/status-pages/${PAGE}`, {
      sections: [{ name: 'Rest', items: [{ name: 'Hotline' }, { name: 'Fax' }] }],
    });
    expect(await (await at(save)).text()).toContain('None of the systems you chose are on this page');
    await setting.tenant.api('PUT', `/status-pages/${PAGE}`, { sections: [], monitors: [monitor] });
    await setting.backdoor.db.pageSubscriber.deleteMany({ where: { pageId: page.id } });
  });

  it('can be ended while its page is hidden', async () => {
    const email = 'patient@example.com';
    await subscribeAndConfirm(email);
    await setting.tenant.api('POST', '/incidents', { title: 'Odd', affectedMonitors: [monitor] });
    const leave = linkIn(await mailTo(email, /^Acme: Odd/), 'unsubscribe');
    await setting.tenant.api('PUT', `/status-pages/${PAGE}`, { published: false });
    try {
      expect((await at(`${PAGE}/subscribe`)).status).toBe(404);
      expect((await at(leave)).status).toBe(200);
      expect((await post(leave)).status).toBe(200);
      expect(await subscribers()).toEqual([]);
    } finally {
      await setting.tenant.api('PUT', `/status-pages/${PAGE}`, { published: true });
    }
  });

  it.each(['', 'nobody', 'a\u0430@example.com', 'a\uff20example.com', 'a@b.de\r\nBcc: c@d.de', 'a@b@c.de'])(
    'for %j is rejected with a message, and no email is sent',
    async (email) => {
      const before = await subscribers();
      const response = await post(`${PAGE}/subscribe`, { email });
      const html = await response.text();
      expect(response.status).toBe(400);
      expect(html).toContain('role="alert">Enter an email address');
      expect(await subscribers()).toEqual(before);
    },
  );

  it('is in the language of its reader', async () => {
    const html = await (await at(`${PAGE}/subscribe?lang=de`)).text();
    expect(html).toContain('<html lang="de">');
    expect(html).toContain(`action="/status/${PAGE}/subscribe?lang=de"`);
    await post(`${PAGE}/subscribe?lang=de`, { email: 'leserin@example.com' });
    const request = await mailTo('leserin@example.com', /^Bestätigen Sie Ihr Abonnement von Acme$/);
    expect(request.text).toContain('innerhalb von 7 Tagen');
  });
});

describe('a form on another site', () => {
  it.each<Record<string, string>>([
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('cannot subscribe anyone: %o', async (headers) => {
    const before = await subscribers();
    const response = await post(`${PAGE}/subscribe`, { email: 'victim@example.com' }, headers);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('role="alert">This form was submitted from another site.');
    expect(await subscribers()).toEqual(before);
  });

  it.each<() => Record<string, string>>([
    () => ({ origin: setting.service.url }),
    () => ({ 'sec-fetch-site': 'same-origin' }),
  ])("is distinguished from the page's own form", async (headers) => {
    expect((await post(`${PAGE}/subscribe`, { email: 'nobody' }, headers())).status).toBe(400);
    expect((await at(`${PAGE}/subscribe`)).headers.get('referrer-policy')).toBe('same-origin');
  });
});

describe('the owner', () => {
  it('lists and counts subscribers, and removes them', async () => {
    await setting.backdoor.db.pageSubscriber.deleteMany({ where: { pageId: page.id } });
    const now = new Date();
    await setting.backdoor.db.pageSubscriber.createMany({
      data: ['a', 'b', 'c'].map((name) => ({
        id: `sub_${name}`,
        pageId: page.id,
        email: `${name}@example.com`,
        language: 'en',
        tokenHash: Buffer.from(name),
        requestedAt: now,
        confirmedAt: name === 'c' ? null : now,
        createdAt: now,
      })),
    });
    const list = async (query: string) => {
      const response = await fetch(`${setting.service.url}/api/status-pages/${PAGE}/subscribers${query}`, {
        headers: { Authorization: `Bearer ${setting.tenant.apiKey}` },
      });
      const body = (await response.json()) as { email: string }[];
      return { headers: response.headers, emails: body.map(({ email }) => email) };
    };
    const first = await list('?limit=2');
    expect(first.emails).toEqual(['c@example.com', 'b@example.com']);
    expect(first.headers.get('x-total-count')).toBe('3');
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    expect((await list(`?limit=2&cursor=${cursor}`)).emails).toEqual(['a@example.com']);
    const pending = await list('?status=pending');
    expect([pending.emails, pending.headers.get('x-total-count')]).toEqual([['c@example.com'], '1']);
    expect((await setting.tenant.api('DELETE', `/status-pages/${PAGE}/subscribers/sub_a`)).status).toBe(200);
    expect((await setting.tenant.api('DELETE', `/status-pages/${PAGE}/subscribers/sub_a`)).status).toBe(404);
    expect((await setting.tenant.api('DELETE', `/status-pages/${HIDDEN}/subscribers/sub_b`)).status).toBe(
      404,
    );
    const log = await setting.backdoor.db.auditEntry.findMany({
      where: { action: 'subscriber.remove', organizationId: setting.tenant.organizationId },
    });
    expect(log).toMatchObject([{ subjectId: 'sub_a', subjectLabel: 'a@example.com' }]);
  });
});

describe('an unknown page', () => {
  it('is the same 404 as a hidden one', async () => {
    const responses = [HIDDEN, 'unknown', 'NO', '%00'].flatMap((slug) =>
      ['subscribe', 'confirm?token=x', 'unsubscribe?id=sub_x&token=x'].flatMap((path) => [
        at(`${slug}/${path}`),
        post(`${slug}/${path}`, { email: 'a@example.com' }),
      ]),
    );
    const bodies = await Promise.all(
      (await Promise.all(responses)).map(async (response) => [response.status, await response.text()]),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]?.[0]).toBe(404);
  });
});

describe('a visitor with too many attempts', () => {
  it('has to wait', async () => {
    const attempts = [];
    for (let index = 0; index < 12; index += 1)
      attempts.push(await post(`${PAGE}/subscribe`, { email: 'no' }));
    const last = attempts.at(-1);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last?.text()).toContain('Too many attempts');
  });
});
