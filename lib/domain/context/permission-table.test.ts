import { beforeAll, describe, expect, it } from 'vitest';
import { leaveOrganization } from '@/lib/domain/members/change-members';
import { deleteOrganization } from '@/lib/domain/organizations/change-organization';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization } from '@/lib/testing/services';
import type { Actor, OrganizationContext } from './organization-context';
import { permits, ROLES } from './permissions';
import { discoverVerbs, namesIn } from './testing/discover-verbs';
import {
  ADDRESS,
  attempt,
  createActors,
  listEntriesAfter,
  prepare,
  type Run,
  readLastEntry,
} from './testing/verb-actors';
import { VERB_CALLS } from './testing/verb-calls';
import { SECRET } from './testing/world';

const database = useTestDatabase();

let owner: OrganizationContext;
let actors: Record<string, Actor>;
/** The first requires no permission; the second deletes the organization together with its log. */
const TESTED_BELOW = ['members/leaveOrganization', 'organizations/deleteOrganization'];

/** The verbs that returned SECRET to the owner. */
const showing = new Set<string>();
/** Secrets that verbs returned once. */
const shown = new Set<string>([SECRET]);

beforeAll(async () => {
  ({ owner, actors } = await createActors(database.db));
});

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

// Every permitted actor: permission-table.thorough.test.ts.
describe.each(Object.entries(VERB_CALLS))('%s', (verbName, verb) => {
  let run: Run | null = null;

  it('is closed to all who are not permitted, and open to the least of the others', async () => {
    const all = Object.entries(actors);
    const isPermitted = ([, actor]: [string, Actor]) => permits({ actor }, verb.action);
    run = await prepare(verb, owner);
    const last = await readLastEntry(owner);
    for (const [name, actor] of all.filter((each) => !isPermitted(each))) {
      const { rejection } = await attempt(run, { ...owner, actor }, name);
      expect(rejection, name).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await readLastEntry(owner)).toBe(last);
    const [name, actor] = all.find(isPermitted) ?? [];
    if (actor === undefined) return;
    const { rejection, response } = await attempt(run, { ...owner, actor }, `${name}`);
    expect(rejection, name).toBeNull();
    collectSecrets(response);
    // Only what may have changed is made again.
    if (!verb.action.endsWith('.read')) run = null;
  });

  it(verb.writes ? 'writes one audit log entry' : 'writes no audit log entry', async () => {
    run ??= await prepare(verb, owner);
    const last = await readLastEntry(owner);
    const { response, text } = await attempt(run, owner, 'owner');
    collectSecrets(response);
    if (text.includes(SECRET)) showing.add(verbName);
    const { actor } = owner;
    const expected = {
      action: verb.action,
      actorKind: 'user',
      actorId: actor.kind === 'user' ? actor.userId : null,
      actorLabel: expect.stringContaining('@'),
      address: ADDRESS,
    };
    expect(await listEntriesAfter(owner, last)).toEqual(
      verb.writes ? [expect.objectContaining(expected)] : [],
    );
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
    const attempted = deleteOrganization({ ...owner, actor }, { name: 'Not its name' });
    await expect(attempted, name).rejects.toMatchObject({ code });
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
