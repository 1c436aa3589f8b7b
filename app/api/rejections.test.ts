import { describe, expect, it } from 'vitest';
import { borrowTenant } from './testing/borrow-tenant';
import { CLOSED, fillPath, makeFixture } from './testing/fixtures';
import { fieldsOf, rejectionOf } from './testing/rejections';
import { send } from './testing/send';

const setting = borrowTenant();

const createOwn = (path: string) =>
  makeFixture(path, { ...setting.tenant, receiverUrl: CLOSED, db: setting.backdoor.db });

type Prepare = () => Promise<{ method: string; path: string; body?: object }>;
/** A rejected request, and the fields that the response names. */
type Row = [name: string, prepare: Prepare, ...fields: string[]];

const shop = { name: 'Shop', url: CLOSED, enabled: false };
const page = { name: 'Acme', monitors: [] };
const METADATA = 'http://169.254.169.254/latest';
const MONITOR = '/monitors/{id}';
const PAGE = '/status-pages/{slug}';
const WEBHOOK = '/webhooks/{id}';
const INCIDENT = '/incidents/{id}';
const MAINTENANCE = '/maintenance/{id}';
const window = {
  title: 'Upgrade',
  monitors: ['mon_none'],
  startsAt: '2098-01-01T10:00:00Z',
  endsAt: '2098-01-01T12:00:00Z',
};

const post = (path: string, body: object) => async () => ({ method: 'POST', path, body });
const put = (fixture: string, body: object) => async () => ({
  method: 'PUT',
  path: fillPath(fixture, await createOwn(fixture)),
  body,
});
const addMonitor = (fields: object) => post('/monitors', { ...shop, ...fields });
const testMonitor = (fields: object) => post('/monitors/test', { ...shop, ...fields });
const addPage = (fields: object) => post('/status-pages', { ...page, ...fields });
const addWindow = (fields: object) => post('/maintenance', { ...window, ...fields });
const invite = (fields: object) => post('/invitations', { email: 'ada@example.com', ...fields });

const UNKNOWN_REGIONS: Row[] = [
  ['an unknown region', addMonitor({ regions: ['mars'] }), 'regions.0'],
  ['an update to an unknown region', put(MONITOR, { regions: ['mars'] }), 'regions.0'],
  ['a dry run in an unknown region', testMonitor({ regions: ['mars'] }), 'regions.0'],
];

const BLOCKED_TARGETS: Row[] = [
  ['metadata as target', addMonitor({ url: METADATA }), 'url'],
  ['metadata in decimal', addMonitor({ url: 'http://2852039166/' }), 'url'],
  ['metadata over IPv6', addMonitor({ url: 'http://[::ffff:a9fe:a9fe]/' }), 'url'],
  ['an update of the target', put(MONITOR, { url: METADATA }), 'url'],
  ['a dry run of metadata', testMonitor({ url: METADATA }), 'url'],
  ['metadata as receiver', post('/webhooks', { url: METADATA }), 'url'],
  ['an update of the receiver', put(WEBHOOK, { url: METADATA }), 'url'],
];

const INVALID: Row[] = [
  ['a body with GET', addMonitor({ body: 'x' }), 'body'],
  ['no region', addMonitor({ regions: [] }), 'regions'],
  ['a region twice', addMonitor({ regions: ['us-east', 'us-east'] }), 'regions.1'],
  ['the header Host', addMonitor({ headers: { Host: 'x' } }), 'headers.Host'],
  ['an unsupported interval', addMonitor({ interval: 45 }), 'interval'],
  ['a timeout over a minute', addMonitor({ timeout: 61 }), 'timeout'],
  ['a type that does not match the url', put(MONITOR, { type: 'tcp' }), 'url'],
  ['a reserved slug', addPage({ slug: 'public' }), 'slug'],
  ['a slug in capitals', addPage({ slug: 'Acme' }), 'slug'],
  ['a logo over http', put(PAGE, { logoUrl: 'http://a.test/' }), 'logoUrl'],
  ['a color that is not hexadecimal', put(PAGE, { theme: { textColor: 'red' } }), 'theme.textColor'],
  ['501 characters', put(PAGE, { description: 'x'.repeat(501) }), 'description'],
  ['an end before the start', put(MAINTENANCE, { endsAt: '2020-01-01T00:00:00Z' }), 'endsAt'],
  ['maintenance every minute', addWindow({ rrule: 'FREQ=MINUTELY' }), 'rrule'],
  ['February 30', addWindow({ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }), 'rrule'],
  ['an unknown time zone', addWindow({ timeZone: 'Mars/Olympus' }), 'timeZone'],
  ['no event', post('/webhooks', { url: CLOSED, events: [] }), 'events'],
  [
    'a key that has already expired',
    post('/api-keys', { name: 'Old', expiresAt: '2020-01-01T00:00:00Z' }),
    'expiresAt',
  ],
  ...[
    'ada＠example.com',
    'ada@exаmple.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'ada',
    `${'a'.repeat(250)}@example.com`,
  ].map((email): Row => {
    return [`an invitation of ${JSON.stringify(email.slice(0, 40))}`, invite({ email }), 'email'];
  }),
  ['an unknown role', invite({ role: 'root' }), 'role'],
];

const UNKNOWN_MONITORS: Row[] = [
  ['a page with an unknown monitor', addPage({ slug: 'unknown', monitors: ['mon_none'] }), 'monitors.0'],
  ['an update of a page with one', put(PAGE, { monitors: ['mon_none'] }), 'monitors.0'],
  [
    'an incident of one',
    post('/incidents', { title: 'Down', affectedMonitors: ['mon_none'] }),
    'affectedMonitors.0',
  ],
  [
    'an update of an incident with one',
    put(INCIDENT, { affectedMonitors: ['mon_none'] }),
    'affectedMonitors.0',
  ],
  ['maintenance of one', addWindow({}), 'monitors.0'],
  ['an update of maintenance with one', put(MAINTENANCE, { monitors: ['mon_none'] }), 'monitors.0'],
];

const TAKEN_SLUGS: Row[] = [
  ['the slug of another page', async () => addPage({ slug: await createOwn(PAGE) })(), 'slug'],
  ['an update to the slug of another page', async () => put(PAGE, { slug: await createOwn(PAGE) })(), 'slug'],
];

const TAKEN_DOMAINS: Row[] = [
  [
    'a domain that another page has verified',
    async () => {
      const slug = await createOwn(PAGE);
      const owned = { customDomain: 'taken.acme.test', customDomainVerifiedAt: new Date() };
      await setting.backdoor.db.statusPage.updateMany({
        where: { customDomain: owned.customDomain },
        data: { customDomain: null, customDomainVerifiedAt: null },
      });
      await setting.backdoor.db.statusPage.update({ where: { slug }, data: owned });
      return put(PAGE, { customDomain: owned.customDomain })();
    },
    'customDomain',
  ],
];

const FORBIDDEN: Row[] = [
  ['the invitation of an owner by an API key', invite({ role: 'owner' })],
  ['an owner role given by an API key', put('/members/{id}', { role: 'owner' })],
  [
    'the removal of an owner by an API key',
    async () => {
      const { userId } = await setting.backdoor.db.membership.findFirstOrThrow({
        where: { organizationId: setting.tenant.organizationId, role: 'owner' },
      });
      return { method: 'DELETE', path: `/members/${userId}` };
    },
  ],
];

/** Valid requests that the current state does not allow. */
const INVALID_STATES: Row[] = [
  [
    'the invitation of a member',
    async () => {
      const where = { id: await setting.tenant.addMember() };
      const { email } = await setting.backdoor.db.user.findUniqueOrThrow({ where });
      return { method: 'POST', path: '/invitations', body: { email } };
    },
    'email',
  ],
  [
    'the end of a window that has ended',
    async () => {
      const id = await createOwn(MAINTENANCE);
      await setting.tenant.api('POST', `/maintenance/${id}/end`);
      return { method: 'POST', path: `/maintenance/${id}/end` };
    },
  ],
  [
    'the rotation of a revoked key',
    async () => {
      const id = await createOwn('/api-keys/{id}');
      await setting.tenant.api('DELETE', `/api-keys/${id}`);
      return { method: 'POST', path: `/api-keys/${id}/rotate` };
    },
  ],
];

const TAKEN_REFS: Row[] = [
  [
    'the ref of another monitor',
    async () => {
      const ref = await createOwn(PAGE);
      await setting.tenant.api('POST', '/monitors', { ...shop, ref });
      return addMonitor({ ref })();
    },
    'ref',
  ],
  [
    'the ref of another webhook endpoint',
    async () => post('/webhooks', { url: CLOSED, ref: await createOwn('/webhooks/by-ref/{ref}') })(),
    'ref',
  ],
  [
    'an update to the ref of another webhook endpoint',
    async () => put(WEBHOOK, { ref: await createOwn('/webhooks/by-ref/{ref}') })(),
    'ref',
  ],
];

const DISABLED: Row[] = [
  [
    'a test of a disabled endpoint',
    async () => {
      const id = await createOwn(WEBHOOK);
      await setting.tenant.api('PUT', `/webhooks/${id}`, { enabled: false });
      return { method: 'POST', path: `/webhooks/${id}/test` };
    },
  ],
];

const PAUSED: Row[] = [
  [
    'a check of a paused monitor',
    async () => ({ method: 'POST', path: fillPath(`${MONITOR}/check`, await createOwn(MONITOR)) }),
  ],
];

const MISSING: Row[] = [
  [
    'a replay to a deleted endpoint',
    async () => {
      const id = await createOwn(WEBHOOK);
      const { body: delivery } = await setting.tenant.api('POST', `/webhooks/${id}/test`);
      await setting.tenant.api('DELETE', `/webhooks/${id}`);
      return { method: 'POST', path: `/deliveries/${delivery.id}/replay` };
    },
  ],
];

describe.each([
  [400, 'UNKNOWN_REGION', UNKNOWN_REGIONS],
  [400, 'BLOCKED_TARGET', BLOCKED_TARGETS],
  [400, 'VALIDATION_ERROR', INVALID],
  [400, 'VALIDATION_ERROR', INVALID_STATES],
  [400, 'UNKNOWN_MONITOR', UNKNOWN_MONITORS],
  [400, 'SLUG_TAKEN', TAKEN_SLUGS],
  [400, 'DOMAIN_TAKEN', TAKEN_DOMAINS],
  [403, 'FORBIDDEN', FORBIDDEN],
  [404, 'NOT_FOUND', MISSING],
  [409, 'REF_TAKEN', TAKEN_REFS],
  [409, 'ENDPOINT_DISABLED', DISABLED],
  [409, 'MONITOR_PAUSED', PAUSED],
] as const)('%i %s', (status, code, rows) => {
  it.each(rows)('rejects %s', async (_, prepare, ...fields) => {
    const { body, ...request } = await prepare();
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await send(setting.service, { ...request, key: setting.tenant.apiKey, body: sent });
    expect(rejectionOf(response)).toEqual([status, code]);
    expect(fieldsOf(response)).toEqual(fields);
  });
});
