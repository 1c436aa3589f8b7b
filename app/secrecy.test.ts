import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { openServices, type ServiceAccess } from '@/e2e/support/service-access';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { createPasswordResetByOperator } from '@/lib/domain/people/passwords';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { startTarget, type Target } from '@/lib/testing/target';
import { signInByPassword } from './testing/sign-in-by-password';

let service: BorrowedService;
let access: ServiceAccess;
let receiver: Receiver;
let target: Target;
/** All secrets by name. */
const secrets = new Map<string, string>();

/** Registers a secret and returns it. */
function keep(what: string, secret: string): string {
  secrets.set(what, secret);
  return secret;
}

const invent = (what: string) =>
  keep(what, `${what.replaceAll(' ', '-')}-${randomBytes(12).toString('hex')}`);

beforeAll(async () => {
  [receiver, target, service] = await Promise.all([startReceiver(), startTarget(), borrowService()]);
  // The only user of the mail server of that service.
  keep('password of the mail server', 'pass:word');
  access = await openServices(service.dataDir);
  await work();
});
afterAll(async () => {
  await access?.close();
  await Promise.all([receiver?.close(), target?.close()]);
});

/** Typical use of the service, including failures. */
async function work(): Promise<void> {
  const { services } = access;
  const kept = JSON.parse(await readFile(join(service.dataDir, 'secrets.json'), 'utf8'));
  keep('secret key', kept.secretKey);
  keep('password of the database', kept.postgresPassword);
  const password = invent('password');
  const email = 'ada-who-has-secrets@example.com';
  const { apiKey, organizationId, userId } = await createOrganization(services, {
    name: 'Acme',
    plan: 'enterprise',
    email,
    password,
  });
  const api = createApiClient(service.url, keep('API key', apiKey));

  receiver.respondWith(500, 'no');
  target.respondWith(503);
  const webhook = await postOnce('/webhooks', { url: receiver.url });
  keep('secret of a webhook', webhook.secret);
  keep('rotated secret', (await api('POST', `/webhooks/${webhook.id}/rotate-secret`)).body.secret);
  const routingKey = invent('credential of a webhook');
  const pager = await postOnce(
    '/webhooks',
    { url: receiver.url, format: 'pagerduty', credentials: { routingKey } },
    'pager',
  );
  await api('PUT', `/webhooks/${pager.id}`, { credentials: { routingKey: invent('changed credential') } });
  await api('POST', `/webhooks/${pager.id}/test`);
  keep('second API key', (await postOnce('/api-keys', { name: 'CI' })).apiKey);
  const monitor = {
    name: 'Sealed',
    url: target.url,
    method: 'POST',
    headers: { Authorization: `Bearer ${invent('header of a monitor')}` },
    body: invent('body of a monitor'),
    alertThreshold: 1,
  };
  await api('POST', '/monitors', monitor);
  await api('POST', '/monitors/test', { ...monitor, url: 'https://127.0.0.1:9/' });
  await receiver.waitFor(({ headers }) => headers['x-service-event'] === 'monitor.down');

  const invitation = await api('POST', '/invitations', { email: 'eve-who-is-invited@example.com' });
  const invitedTo = new URL(invitation.body.url);
  keep('token of an invitation', invitedTo.pathname.split('/').at(-1) ?? '');
  await fetch(`${service.url}${invitedTo.pathname}`);
  const reset = await createPasswordResetByOperator(services, email);
  keep('token of a reset', new URLSearchParams(reset.path.split('?')[1]).get('token') ?? '');
  await fetch(`${service.url}${reset.path}`);
  keep('session', (await signInByPassword(service.url, { email, password })) ?? '');
  await signInByPassword(service.url, { email, password: invent('wrong password') });

  await fail({ organizationId, userId }, async () => {
    await api('POST', '/monitors', monitor);
    await api('POST', '/webhooks', { url: receiver.url });
    await api('POST', '/api-keys', { name: 'None' });
    await api('POST', '/monitors', `{"body": "${invent('broken body')}`);
    await createApiClient(service.url, invent('nonsense for a key'))('GET', '/monitors');
    await signInByPassword(service.url, { email, password });
  });
}

/** With an Idempotency-Key, so that the response is stored. */
async function postOnce(path: string, body: object, key = path) {
  const response = await fetch(`${service.url}/api${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${secrets.get('API key')}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return response.json();
}

/** Makes writes of an organization and its owner fail halfway, when secrets are in memory. */
async function fail(
  { organizationId, userId }: { organizationId: string; userId: string },
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { db } = access.services;
  const refused = [
    ['audit_entry', `organization_id = '${organizationId}'`],
    ['session', `user_id = '${userId}'`],
  ];
  await db.$executeRaw`
    CREATE FUNCTION refuse_for_test() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused in secrecy.test'; END $$`;
  for (const [table, condition] of refused) {
    await db.$executeRaw`CREATE TRIGGER refuse_for_test BEFORE INSERT ON ${Prisma.raw(table ?? '')}
      FOR EACH ROW WHEN (NEW.${Prisma.raw(condition ?? '')}) EXECUTE FUNCTION refuse_for_test()`;
  }
  await meanwhile();
  await db.$executeRaw`DROP FUNCTION refuse_for_test() CASCADE`;
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { db } = access.services;
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRaw<{ row: string }[]>`SELECT t::text AS row FROM ${Prisma.raw(name)} AS t`;
    parts.push(name, ...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

/** The encodings in which a text contains a secret, which should be an empty list. */
function formsIn(text: string, secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = {
    plain: secret,
    'in a URL': encodeURIComponent(secret),
    hex: bytes.toString('hex'),
    // The last characters depend on the following bytes.
    base64: bytes.toString('base64').replace(/=+$/, '').slice(0, -1),
    base64url: bytes.toString('base64url').slice(0, -1),
  };
  return Object.entries(forms).flatMap(([name, form]) => (text.includes(form) ? [name] : []));
}

const allIn = (text: string) =>
  [...secrets].flatMap(([what, secret]) => formsIn(text, secret).map((form) => `${what}, ${form}`));

describe('secrets', () => {
  it('were all used', () => {
    expect(secrets.size).toBe(18);
    for (const [what, secret] of secrets) expect(secret.length, what).toBeGreaterThan(8);
  });

  it('appear in no log of any process, even after failures at LOG_LEVEL=trace', async () => {
    const logs = await service.logs();
    expect(logs).toContain('"name":"worker"');
    expect(logs).toContain('"name":"web"');
    expect(logs, 'the failures were logged').toContain('refused in secrecy.test');
    expect(allIn(logs)).toEqual([]);
  });

  it('appear nowhere in the database, neither in plain text nor in hex or base64', async () => {
    const text = await dump();
    expect(text).toContain('Sealed');
    expect(text, 'the hash of the key').toContain(
      createHash('sha256')
        .update(secrets.get('API key') ?? '')
        .digest('hex'),
    );
    expect(allIn(text)).toEqual([]);
  });
});
