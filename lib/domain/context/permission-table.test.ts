import { beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { leaveOrganization } from '@/lib/domain/members/change-members';
import { deleteOrganization } from '@/lib/domain/organizations/change-organization';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { Actor, OrganizationContext, Role } from './organization-context';
import { permits, ROLES } from './permissions';
import { discoverVerbs, namesIn } from './testing/discover-verbs';
import type { VerbCall } from './testing/verb-call';
import { VERB_CALLS } from './testing/verb-calls';
import { createWorld, inputs, SECRET } from './testing/world';

const database = useTestDatabase();
const ADDRESS = '192.0.2.7';

let owner: OrganizationContext;
let actors: Record<string, Actor>;
/** The first requires no permission; the second deletes the organization together with its log. */
const TESTED_BELOW = ['members/leaveOrganization', 'organizations/deleteOrganization'];

/** The verbs that returned SECRET to actors with write permission. */
const showing = new Set<string>();
/** Secrets that verbs returned once. */
const shown = new Set<string>([SECRET]);

beforeAll(async () => {
  const services = createTestServices({ db: database.db });
  const { ctx, userId } = await createTestOrganization(services);
  const person = (role: Role): Actor => ({ kind: 'user', userId, role });
  owner = { ...ctx, actor: person('owner') };
  const key = async (scope: 'read' | 'write'): Promise<Actor> => {
    const { id: keyId } = await issueApiKey(owner, { ...inputs.apiKey(), scope });
    return { kind: 'key', keyId, scope };
  };
  actors = {
    ...Object.fromEntries(ROLES.map((role) => [role, person(role)])),
    // An unknown role has no permissions: finds reads that do not check.
    'a user without a role': person('none' as Role),
    'read key': await key('read'),
    'write key': await key('write'),
    operator: { kind: 'operator' },
  };
});

type Run = Awaited<ReturnType<VerbCall['prepare']>>;

const prepare = (verb: VerbCall): Promise<Run> => verb.prepare(createWorld(owner));

/** The outcome of a call and the log entries it wrote. */
async function call(run: Run, actor: Actor) {
  const where = { organizationId: owner.organizationId };
  const { number: last } = await owner.db.auditEntry.findFirstOrThrow({ where, orderBy: { number: 'desc' } });
  let rejection: unknown = null;
  let response: unknown = null;
  try {
    response = await run({ ...owner, actor, address: ADDRESS });
    collectSecrets(response);
  } catch (error) {
    rejection = error;
  }
  const entries = await owner.db.auditEntry.findMany({ where: { ...where, number: { gt: last } } });
  return { rejection, entries, text: toText(response) };
}

function toText(response: unknown): string {
  const readable = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return Number(value);
    return value instanceof Map ? [...value] : value;
  };
  return JSON.stringify(response, readable) ?? '';
}

function collectSecrets(response: unknown): void {
  const { secret, apiKey, token, resource } = (response ?? {}) as Record<string, unknown>;
  if (resource) collectSecrets(resource);
  for (const text of [secret, apiKey, token]) if (typeof text === 'string') shown.add(text);
}

describe('verbs', () => {
  it('are exactly those in VERB_CALLS', () => {
    expect([...Object.keys(VERB_CALLS), ...TESTED_BELOW].sort()).toEqual(discoverVerbs());
  });

  it('are found in every form of export', () => {
    const source = [
      'export async function one(\n  ctx: OrganizationContext,\n  run: (id: string) => void,\n): Promise<void> {}',
      'export function* two(ctx: OrganizationContext) {}',
      'export const three = async (ctx: OrganizationContext) => 3;',
      'export async function four({ ctx, id }: { ctx: OrganizationContext; id: string }) {}',
      'export async function part(tx: Transaction, ctx: OrganizationContext) {}',
      'export function other(id: string) {}\nfunction own(ctx: OrganizationContext) {}',
    ].join('\n');
    expect(namesIn(source)).toEqual(['one', 'two', 'three', 'four']);
  });
});

describe.each(Object.entries(VERB_CALLS))('%s', (verbName, verb) => {
  it('is open to exactly the permitted actors and returns secrets only to those who may change them', async () => {
    let run: Run | null = null;
    for (const [name, actor] of Object.entries(actors)) {
      run ??= await prepare(verb);
      const { rejection, entries, text } = await call(run, actor);
      if (!permits({ actor }, 'monitor.update')) expect(text, name).not.toContain(SECRET);
      else if (text.includes(SECRET)) showing.add(verbName);
      if (permits({ actor }, verb.action)) expect(rejection, name).toBeNull();
      else {
        expect(rejection, name).toMatchObject({ code: 'FORBIDDEN' });
        expect(entries, name).toEqual([]);
      }
      // Only what may have changed is made again; a check leaves no entry, and there is none for a while after it.
      if (rejection === null && !verb.action.endsWith('.read')) run = null;
    }
  });

  it(verb.writes ? 'writes one audit log entry' : 'writes no audit log entry', async () => {
    const { entries } = await call(await prepare(verb), owner.actor);
    const { actor } = owner;
    const expected = {
      action: verb.action,
      actorKind: 'user',
      actorId: actor.kind === 'user' ? actor.userId : null,
      actorLabel: expect.stringContaining('@'),
      address: ADDRESS,
    };
    expect(entries).toEqual(verb.writes ? [expect.objectContaining(expected)] : []);
  });
});

it('every user can leave, but no key can', async () => {
  const others = await createTestOrganization(owner);
  for (const scope of ['read key', 'write key']) {
    const actor = actors[scope];
    if (actor)
      await expect(leaveOrganization({ ...owner, actor })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  const membership = { organizationId: owner.organizationId, userId: others.userId, createdAt: new Date() };
  for (const role of ROLES) {
    await owner.db.membership.create({ data: { ...membership, role } });
    await leaveOrganization({ ...owner, actor: { kind: 'user', userId: others.userId, role } });
  }
  const entries = await owner.db.auditEntry.count({
    where: { organizationId: owner.organizationId, action: 'member.leave', actorId: others.userId },
  });
  expect(entries).toBe(ROLES.length);
});

it('only an owner deletes the organization', async () => {
  for (const [name, actor] of Object.entries(actors)) {
    const code = permits({ actor }, 'organization.delete') ? 'VALIDATION_ERROR' : 'FORBIDDEN';
    const attempt = deleteOrganization({ ...owner, actor }, { name: 'Not its name' });
    await expect(attempt, name).rejects.toMatchObject({ code });
  }
});

it('actors with write permission get monitors and endpoints with their secrets', () => {
  const whole = [
    'monitors/getMonitor',
    'monitors/listMonitors',
    'monitors/listMonitorsInParts',
    'webhooks/getWebhook',
    'webhooks/getDelivery',
  ];
  expect([...showing]).toEqual(expect.arrayContaining(whole));
});

it('no entry contains a secret', async () => {
  const entries = await owner.db.auditEntry.findMany();
  const text = JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  expect(shown.size).toBeGreaterThan(10);
  for (const secret of shown) expect(text).not.toContain(secret);
});
