import { expect } from 'vitest';
import { issueApiKey } from '@/lib/domain/api-keys/change-api-keys';
import type { Database } from '@/lib/platform/db/client';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { Actor, OrganizationContext, Role } from '../organization-context';
import { permits, ROLES } from '../permissions';
import type { VerbCall } from './verb-call';
import { createWorld, inputs, SECRET } from './world';

export const ADDRESS = '192.0.2.7';

/** An organization, and everybody who may want to do something in it, from least to most permissions. */
export async function createActors(
  db: Database,
): Promise<{ owner: OrganizationContext; actors: Record<string, Actor> }> {
  const { ctx, userId } = await createTestOrganization(createTestServices({ db }));
  const person = (role: Role): Actor => ({ kind: 'user', userId, role });
  const owner = { ...ctx, actor: person('owner') };
  const key = async (scope: 'read' | 'write'): Promise<Actor> => {
    const { id: keyId } = await issueApiKey(owner, { ...inputs.apiKey(), scope });
    return { kind: 'key', keyId, scope };
  };
  const actors = {
    // An unknown role has no permissions: finds reads that do not check.
    'a user without a role': person('none' as Role),
    ...Object.fromEntries(ROLES.map((role) => [role, person(role)])),
    'read key': await key('read'),
    'write key': await key('write'),
    operator: { kind: 'operator' } as const,
  };
  return { owner, actors };
}

export type Run = Awaited<ReturnType<VerbCall['prepare']>>;

export const prepare = (verb: VerbCall, owner: OrganizationContext): Promise<Run> =>
  verb.prepare(createWorld(owner));

/** The number of the last entry in the log of an organization. */
export async function readLastEntry({ db, organizationId }: OrganizationContext): Promise<number> {
  const where = { organizationId };
  const { number } = await db.auditEntry.findFirstOrThrow({ where, orderBy: { number: 'desc' } });
  return Number(number);
}

export function listEntriesAfter({ db, organizationId }: OrganizationContext, last: number) {
  return db.auditEntry.findMany({ where: { organizationId, number: { gt: last } } });
}

/** What a call returned, also as text, or why it was rejected. Fails if it returns a secret to one who may not change it. */
export async function attempt(run: Run, ctx: OrganizationContext, name: string) {
  let rejection: unknown = null;
  let response: unknown = null;
  try {
    response = await run({ ...ctx, address: ADDRESS });
  } catch (error) {
    rejection = error;
  }
  const text = toText(response);
  if (!permits(ctx, 'monitor.update')) expect(text, name).not.toContain(SECRET);
  return { rejection, response, text };
}

function toText(response: unknown): string {
  const readable = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return Number(value);
    return value instanceof Map ? [...value] : value;
  };
  return JSON.stringify(response, readable) ?? '';
}
