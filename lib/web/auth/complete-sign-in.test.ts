import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { removeMember } from '@/lib/domain/members/change-members';
import { inviteMember } from '@/lib/domain/members/invitations';
import { hashPassword } from '@/lib/domain/organizations/password';
import { findPerson } from '@/lib/domain/people/profile';
import { readPendingSignIn } from '@/lib/domain/people/sign-in/pending-sign-ins';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { completeSignIn } from './complete-sign-in';

const database = useTestDatabase();
const VISITOR = { address: '192.0.2.7', userAgent: 'Firefox' };
const PASSWORD = 'correct horse';

const METHODS = ['password', 'provider', 'passkey'] as const;
const FACTORS = ['no factor', 'TOTP', 'required but missing'] as const;
const PEOPLE = ['member', 'invited', 'stranger', 'removed'] as const;

let services: ReturnType<typeof createTestServices>;
let plain: TestOrganization;
let strict: TestOrganization;
let passwordHash: string;

beforeAll(async () => {
  services = createTestServices({ db: database.db });
  plain = await createTestOrganization(services);
  strict = await createTestOrganization(services);
  const where = { id: strict.organizationId };
  await services.db.organization.update({ where, data: { secondFactorFrom: services.clock.now() } });
  passwordHash = await hashPassword(PASSWORD);
});

/** Creates a person and returns the ID that a proof names. */
async function createPerson(person: (typeof PEOPLE)[number], factor: (typeof FACTORS)[number]) {
  const { db, clock } = services;
  const [userId, now] = [createId('user'), clock.now()];
  if (person === 'stranger') return userId;
  const { ctx, organizationId } = factor === 'required but missing' ? strict : plain;
  const email = `${userId}@example.com`;
  await db.user.create({ data: { id: userId, email, passwordHash, createdAt: now, updatedAt: now } });
  if (factor === 'TOTP') {
    const secretSealed = services.keyring.seal('x', `${userId}/totp`);
    await db.totpFactor.create({ data: { userId, secretSealed, confirmedAt: now, createdAt: now } });
  }
  if (person === 'invited') await inviteMember(ctx, { email, role: 'member' }, { baseUrl: 'https://x.test' });
  else await db.membership.create({ data: { organizationId, userId, role: 'member', createdAt: now } });
  if (person === 'removed') await removeMember(ctx, userId);
  return userId;
}

/** What each sign-in leads to. An invitation requires nothing yet: the organization asks once it is accepted. */
function expected(method: (typeof METHODS)[number], factor: (typeof FACTORS)[number], person: string) {
  if (person === 'stranger' || person === 'removed') return 'refused';
  if (method === 'passkey' || factor === 'no factor') return 'session';
  if (factor === 'TOTP') return 'second factor';
  return person === 'member' ? 'enrollment' : 'session';
}

const MATRIX = METHODS.flatMap((method) =>
  FACTORS.flatMap((factor) =>
    PEOPLE.map((person) => [method, factor, person, expected(method, factor, person)] as const),
  ),
);

describe('the matrix of sign-in', () => {
  it.each(MATRIX)('%s, %s, %s: %s', async (method, factor, person, outcome) => {
    const userId = await createPerson(person, factor);
    const signIn = completeSignIn(services, { userId, method }, VISITOR);
    if (outcome === 'refused') {
      await expect(signIn).rejects.toMatchObject({ code: 'FORBIDDEN' });
    } else {
      const made = await signIn;
      expect(made.kind === 'session' ? 'session' : made.lacks).toBe(outcome);
      if (made.kind === 'session') expect((await findPerson(services, made.sessionId))?.userId).toBe(userId);
      else {
        const proof = await readPendingSignIn(database.db, made.token, services.clock.now());
        expect(proof).toEqual({ userId, method });
      }
    }
    const sessions = await database.db.session.findMany({ where: { userId } });
    expect(sessions).toHaveLength(outcome === 'session' ? 1 : 0);
    for (const session of sessions) expect(session.secondFactorAt !== null).toBe(method === 'passkey');
  });
});

it('a factor that is not confirmed yet is not asked for', async () => {
  const userId = await createPerson('member', 'TOTP');
  await database.db.totpFactor.update({ where: { userId }, data: { confirmedAt: null } });
  expect(await completeSignIn(services, { userId, method: 'password' }, VISITOR)).toMatchObject({
    kind: 'session',
  });
});

it('an organization asks only once its grace period is over', async () => {
  const userId = await createPerson('member', 'no factor');
  const now = services.clock.now();
  const set = (secondFactorFrom: Date | null) =>
    database.db.organization.update({ where: { id: plain.organizationId }, data: { secondFactorFrom } });
  await set(new Date(now.getTime() + 60_000));
  const signIn = () => completeSignIn(services, { userId, method: 'password' }, VISITOR);
  expect(await signIn()).toMatchObject({ kind: 'session' });
  await set(now);
  expect(await signIn()).toMatchObject({ kind: 'pending', lacks: 'enrollment' });
  await set(null);
});
