import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { findUserByPassword } from '@/lib/domain/organizations/password';
import { createPasswordResetByOperator, resetPassword } from '@/lib/domain/people/passwords';
import { createInvitationSchema } from '@/lib/schemas/people';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { removeMember } from '../change-members';
import { inviteMember } from '../invitations';
import { createTestTeam } from '../testing/people';
import { admitIdentity, explainNoLanding } from './admit-identity';
import type { NewcomerRules, ProvenIdentity } from './identity';
import { listWaysIn, unlinkIdentity } from './linked-identities';

const START = new Date('2027-03-01T12:00:00Z');
const ISSUER = 'https://sso.example.com';
const database = useTestDatabase();
let count = 0;

async function begin({ mail = false, rules = {} }: { mail?: boolean; rules?: Partial<NewcomerRules> } = {}) {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock, mail });
  const team = await createTestTeam(services);
  const base = { organization: team.organizationId, allowedDomains: ['staff.test'], isSignUpOpen: false };
  const all: NewcomerRules = { ...base, plan: 'free', ...rules };
  const identity = (fields: Partial<ProvenIdentity> = {}): ProvenIdentity => ({
    providerName: 'Acme',
    issuer: ISSUER,
    subject: `subject-${count++}`,
    email: `person-${count++}@staff.test`,
    isVerified: true,
    name: null,
    role: null,
    vouchesForDomains: true,
    ...fields,
  });
  const admit = (proven: ProvenIdentity, linker: string | null = null) =>
    admitIdentity(services, all, { identity: proven, linker, address: '192.0.2.1' });
  const signIn = async (proven: ProvenIdentity) => {
    const admission = await admit(proven);
    if ('refused' in admission) throw new Error(admission.refused);
    return admission.userId;
  };
  const actions = async () => {
    const entries = await database.db.auditEntry.findMany({
      where: { organizationId: team.organizationId },
      orderBy: { number: 'asc' },
    });
    return entries.map(({ action }) => action);
  };
  return { clock, services, team, identity, admit, signIn, actions };
}

describe('a first sign-in', () => {
  it('with an allowed domain joins the organization, as viewer or with the role of the claims', async () => {
    const { services, team, identity, signIn, actions } = await begin();
    const [plain, mapped] = [identity({ name: 'Ada' }), identity({ role: 'admin' })];
    const [first, second] = [await signIn(plain), await signIn(mapped)];
    expect(await team.roles()).toMatchObject({ [first]: 'viewer', [second]: 'admin' });
    const user = await services.db.user.findUniqueOrThrow({ where: { id: first } });
    expect(user).toMatchObject({ email: plain.email, name: 'Ada', passwordHash: null });
    expect(await actions()).toEqual([
      'member.join',
      'member.link-account',
      'member.join',
      'member.link-account',
    ]);
  });

  it('happens once, even if several arrive concurrently', async () => {
    const { identity, admit, services } = await begin();
    const proven = identity();
    const admissions = await Promise.all([1, 2, 3, 4].map(() => admit(proven)));
    expect(new Set(admissions.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await services.db.user.count({ where: { email: proven.email ?? '' } })).toBe(1);
  });

  it('does not exceed the quota of members', async () => {
    const { services, team, identity, admit } = await begin();
    await changePlan(services, team.organizationId, 'free');
    await admit(identity());
    await admit(identity());
    const late = identity();
    await expect(admit(late)).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' });
    expect(await services.db.user.count({ where: { email: late.email ?? '' } })).toBe(0);
  });

  it('by a provider that does not decide about the domain needs an invitation', async () => {
    const { identity, admit } = await begin();
    expect(await admit(identity({ vouchesForDomains: false }))).toEqual({ refused: 'not-invited' });
  });

  it('of an invited person creates a user who can then accept', async () => {
    const { team, identity, admit, signIn, services, clock } = await begin();
    const proven = identity({ email: `guest-${count++}@elsewhere.test` });
    expect(await admit(proven)).toEqual({ refused: 'not-invited' });
    const input = createInvitationSchema.parse({ email: proven.email });
    await inviteMember(team.owner.ctx, input, { baseUrl: 'https://pharos.test' });
    const userId = await signIn(proven);
    expect(await services.db.membership.count({ where: { userId } })).toBe(0);
    const late = identity({ email: `guest-${count++}@elsewhere.test` });
    await inviteMember(team.owner.ctx, createInvitationSchema.parse({ email: late.email }), {
      baseUrl: 'https://pharos.test',
    });
    clock.advance(8 * 86_400_000);
    expect(await admit(late)).toEqual({ refused: 'not-invited' });
  });

  it('where anybody can sign up creates an organization, on the plan of new ones', async () => {
    const { identity, signIn, services } = await begin({ rules: { isSignUpOpen: true } });
    const userId = await signIn(
      identity({ email: `founder-${count++}@elsewhere.test`, name: 'Ada Lovelace' }),
    );
    const [membership] = await services.db.membership.findMany({
      where: { userId },
      include: { organization: true },
    });
    expect(membership).toMatchObject({ role: 'owner', organization: { name: 'Ada Lovelace', plan: 'free' } });
  });

  it.each([
    ['does not exist', 'org_none'],
    ['is ambiguous', 'Test'],
  ])('is refused if the organization for newcomers %s', async (_, organization) => {
    await begin();
    const { identity, admit } = await begin({ rules: { organization } });
    expect(await admit(identity())).toEqual({ refused: 'no-organization' });
  });

  it('finds the organization for newcomers by its name', async () => {
    const { services } = await begin();
    const name = `Named ${count++}`;
    const owner = { email: `owner-${count++}@elsewhere.test`, password: 'correct horse' };
    const { organizationId } = await createOrganization(services, { name, plan: 'pro', ...owner });
    const { identity, signIn } = await begin({ rules: { organization: name } });
    const userId = await signIn(identity());
    expect(await services.db.membership.count({ where: { userId, organizationId } })).toBe(1);
  });
});

describe('a known address', () => {
  it('is linked if it is verified, which is logged and mailed', async () => {
    const { team, identity, signIn, actions, services } = await begin({ mail: true });
    const person = await team.add('member');
    expect(await signIn(identity({ email: person.email }))).toBe(person.id);
    expect(await team.roles()).toMatchObject({ [person.id]: 'member' });
    expect(await actions()).toEqual(['member.link-account']);
    const mails = await services.db.mail.findMany({ where: { recipient: person.email } });
    expect(mails.map(({ kind }) => kind)).toEqual(['account-security']);
  });

  it('is not linked if it is unverified', async () => {
    const { team, identity, admit, services } = await begin();
    const person = await team.add('member');
    expect(await admit(identity({ email: person.email, isVerified: false }))).toEqual({
      refused: 'unverified',
    });
    expect(await services.db.identity.count({ where: { userId: person.id } })).toBe(0);
  });

  it('that has passed to another account of the provider does not open the user of the former', async () => {
    const { identity, admit, signIn } = await begin();
    const former = identity();
    await signIn(former);
    expect(await admit(identity({ email: former.email }))).toEqual({ refused: 'other-account' });
  });

  it('of a removed member does not bring them back', async () => {
    const { team, identity, signIn } = await begin();
    const proven = identity({ role: 'admin' });
    const userId = await signIn(proven);
    await removeMember(team.owner.ctx, userId);
    expect(await signIn(proven)).toBe(userId);
    expect(await team.roles()).not.toHaveProperty(userId);
  });
});

describe('a role', () => {
  it('follows the claims at every sign-in, and stays without them', async () => {
    const { team, identity, signIn, actions } = await begin();
    const proven = identity({ role: 'member' });
    const userId = await signIn(proven);
    for (const role of ['admin', null, 'viewer', 'owner', 'member'] as const) {
      await signIn({ ...proven, role });
      expect((await team.roles())[userId]).toBe(role ?? 'admin');
    }
    const changes = (await actions()).filter((action) => action === 'member.change');
    expect(changes).toHaveLength(4);
  });

  it('of the last owner stays, even if two lose it concurrently', async () => {
    const { team, identity, signIn } = await begin();
    const [first, second] = [team.owner, await team.add('owner')];
    const both = [first, second].map(({ email }) => identity({ email, role: 'viewer' }));
    await Promise.all(both.map(signIn));
    const roles = await team.roles();
    expect([roles[first.id], roles[second.id]].sort()).toEqual(['owner', 'viewer']);
    await Promise.all(both.map(signIn));
    expect(Object.values(await team.roles())).toContain('owner');
  });

  it('changes only in the configured organization', async () => {
    const { team, identity, signIn } = await begin({ rules: { organization: 'org_none' } });
    const person = await team.add('admin');
    await signIn(identity({ email: person.email, role: 'viewer' }));
    expect((await team.roles())[person.id]).toBe('admin');
  });
});

describe('linked accounts', () => {
  it('are linked by a signed-in user and unlinked again, but not the only way in', async () => {
    const { team, identity, admit, signIn, services, actions } = await begin();
    const userId = await signIn(identity());
    const other = identity({ issuer: 'https://other.example.com', isVerified: false });
    expect(await admit(other, userId)).toEqual({ userId });
    expect(await admit(other, team.owner.id)).toEqual({ refused: 'linked-elsewhere' });
    const end = (
      { issuer, subject }: { issuer: string; subject: string },
      hasPasswords = true,
      isFactorStale = false,
    ) => {
      const ways = { passwords: hasPasswords, passkeys: false };
      return unlinkIdentity(
        { ...services, actor: { kind: 'user', userId, role: 'viewer', isFactorStale } },
        { issuer, subject, userId, providerName: 'Acme', address: null, ways },
      );
    };
    await expect(end(other, true, true)).rejects.toThrow('Confirm your second factor first');
    await end(other);
    await expect(end(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { identities } = await listWaysIn(services.db, userId);
    const [last] = identities;
    if (!last) throw new Error('the first account is still linked');
    await expect(end(last)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });

    const { email } = await services.db.user.findUniqueOrThrow({ where: { id: userId } });
    const { path } = await createPasswordResetByOperator(services, email);
    const token = path.slice(path.indexOf('=') + 1);
    await resetPassword(services, { token, password: 'a first password', address: null });
    expect(await findUserByPassword(services, email, 'a first password')).toMatchObject({ id: userId });
    await expect(end(last, false)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await end(last);
    expect((await actions()).filter((action) => action === 'member.unlink-account')).toHaveLength(2);
  });

  it('do not open a user without a password by any password', async () => {
    const { identity, signIn, services } = await begin();
    const proven = identity();
    await signIn(proven);
    for (const password of ['', 'null', 'correct horse']) {
      expect(await findUserByPassword(services, proven.email ?? '', password)).toBeNull();
    }
  });
});

it('an organization that people cannot join is explained to operators', async () => {
  const { services, team } = await begin();
  const { organizationId } = team;
  const explain = (idOrName: string | null) => explainNoLanding(database.db, idOrName);
  expect(await explain(null)).toBeNull();
  expect(await explain(organizationId)).toBeNull();
  expect(await explain('Nobody Inc.')).toContain('neither the ID nor the name of an organization');
  const input = { name: 'Twins', plan: 'free', password: 'correct horse battery' } as const;
  await createOrganization(services, { ...input, email: 'one@twins.test' });
  expect(await explain('Twins')).toBeNull();
  await createOrganization(services, { ...input, email: 'two@twins.test' });
  expect(await explain('Twins')).toContain('several organizations have the name "Twins"');
});
