import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { findUserByPassword } from '@/lib/domain/organizations/password';
import type { PlanId } from '@/lib/plans/catalogue';
import { createInvitationSchema, type MemberRole } from '@/lib/schemas/people';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { acceptInvitation, acceptInvitationAsNewPerson, readInvitation } from './accept-invitation';
import { changeRole, removeMember } from './change-members';
import { inviteMember, listInvitations, revokeInvitation } from './invitations';
import { createTestTeam } from './testing/people';

const START = new Date('2027-01-01T00:00:00Z');
const WEEK = 7 * 24 * 3_600_000;
const BASE = { baseUrl: 'https://pharos.test' };
const GONE = { code: 'NOT_FOUND' };
const PASSWORD = 'correct horse';
const database = useSharedDatabase();
let count = 0;

async function begin({ plan, mail }: { plan?: PlanId; mail?: boolean } = {}) {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock, mail });
  const team = await createTestTeam(services, { plan });
  const invite = async (fields: { email?: string; role?: MemberRole } = {}, ctx = team.owner.ctx) => {
    const input = createInvitationSchema.parse({ email: `invited-${count++}@example.com`, ...fields });
    const created = await inviteMember(ctx, input, BASE);
    return { ...created, token: created.url.slice(created.url.lastIndexOf('/') + 1) };
  };
  const accept = (token: string, userId: string) =>
    acceptInvitation(services, { token, userId, address: '192.0.2.1' });
  const acceptAsNew = (token: string, password = PASSWORD) =>
    acceptInvitationAsNewPerson(services, { token, password, address: null });
  return { clock, services, team, invite, accept, acceptAsNew };
}

describe('an invitation', () => {
  it('returns its link once, stores a hash of it, and is listed until accepted', async () => {
    const { team, services, invite, acceptAsNew } = await begin();
    const { token, url, mailed, ...created } = await invite({ role: 'viewer' });
    expect(url).toMatch(/^https:\/\/pharos\.test\/invitation\/[\w-]{43}$/);
    expect([mailed, created.expiresAt]).toEqual([false, new Date(START.getTime() + WEEK).toISOString()]);
    expect(await listInvitations(team.owner.ctx)).toEqual([created]);
    expect(created).toMatchObject({ role: 'viewer', invitedBy: team.owner.email });
    expect(await readInvitation(services, token)).toEqual({
      organizationName: 'Test',
      email: created.email,
      role: 'viewer',
      invitedBy: team.owner.email,
      hasAccount: false,
    });

    const { user } = await acceptAsNew(token);
    expect(await findUserByPassword(services, created.email, PASSWORD)).toMatchObject(user);
    expect(await team.roles()).toMatchObject({ [user.id]: 'viewer' });
    expect(await listInvitations(team.owner.ctx)).toEqual([]);
  });

  it('is mailed in the same transaction if mail is on', async () => {
    const { team, services, invite } = await begin({ mail: true });
    const { email, mailed, url } = await invite();
    expect(mailed).toBe(true);
    const { organizationId } = team;
    const mails = await database.db.mail.findMany({ where: { organizationId } });
    expect(mails).toMatchObject([{ kind: 'invitation', recipient: email }]);
    const [mail] = mails;
    const content = services.keyring.open(mail?.contentSealed ?? new Uint8Array(), mail?.id ?? '');
    expect(JSON.parse(content)).toMatchObject({ subject: 'Invitation to Test', button: { url } });
  });

  it('works once, even if several accept concurrently', async () => {
    const { team, invite, acceptAsNew, accept } = await begin();
    const first = await invite();
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => acceptAsNew(first.token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(GONE);

    const person = await team.stranger();
    const second = await invite({ email: person.email });
    const again = await Promise.allSettled([1, 2].map(() => accept(second.token, person.id)));
    expect(again.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(accept(second.token, person.id)).rejects.toMatchObject({
      ...GONE,
      message: expect.stringContaining('already been used'),
    });
    expect(Object.keys(await team.roles())).toHaveLength(3);
  });

  it('is only for the invited address', async () => {
    const { team, invite, accept, acceptAsNew } = await begin();
    const [person, other] = [await team.stranger(), await team.stranger()];
    const { token } = await invite({ email: person.email.toUpperCase() });
    await expect(accept(token, other.id)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: `This invitation is for ${person.email}, but you are signed in as ${other.email}.`,
    });
    // The address has an account: a password entered here must not open it.
    await expect(acceptAsNew(token)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await accept(token, person.id);
    expect(await team.roles()).toMatchObject({ [person.id]: 'member' });
  });

  it('ends after a week, when it is revoked, and when it is replaced', async () => {
    const { clock, team, invite, acceptAsNew } = await begin();
    const [late, revoked, replaced] = [await invite(), await invite(), await invite()];
    await revokeInvitation(team.owner.ctx, revoked.id);
    await expect(revokeInvitation(team.owner.ctx, revoked.id)).rejects.toMatchObject(GONE);
    const newer = await invite({ email: replaced.email, role: 'admin' });
    for (const { token } of [revoked, replaced]) await expect(acceptAsNew(token)).rejects.toMatchObject(GONE);
    await acceptAsNew(newer.token);
    clock.advance(WEEK);
    await expect(acceptAsNew(late.token)).rejects.toMatchObject({
      ...GONE,
      message: expect.stringContaining('expired'),
    });
    for (const none of ['', '\0', 'x'.repeat(43), '../..', 'x'.repeat(100_000)])
      await expect(acceptAsNew(none)).rejects.toMatchObject(GONE);
  });

  it('creates an owner only if an owner sent it', async () => {
    const { team, invite } = await begin();
    const admin = await team.add('admin');
    const byOwner = await invite({ role: 'owner' });
    for (const ctx of [admin.ctx, team.byKey]) {
      await invite({ role: 'admin' }, ctx);
      const rejection = { code: 'FORBIDDEN' };
      await expect(invite({ role: 'owner' }, ctx)).rejects.toMatchObject(rejection);
      await expect(invite({ email: byOwner.email }, ctx)).rejects.toMatchObject(rejection);
      await expect(revokeInvitation(ctx, byOwner.id)).rejects.toMatchObject(rejection);
    }
    await changeRole(team.owner.ctx, admin.id, { role: 'viewer' });
    await expect(invite({}, admin.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await removeMember(team.owner.ctx, admin.id);
    await expect(invite({}, admin.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each(['member', 'viewer'] as const)('cannot be created, listed or revoked by a %s', async (role) => {
    const { team, invite } = await begin();
    const { ctx } = await team.add(role);
    const { id } = await invite();
    await expect(invite({}, ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listInvitations(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(revokeInvitation(ctx, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of another organization is not found', async () => {
    const [mine, other] = [await begin(), await begin()];
    const { id } = await mine.invite();
    expect(await listInvitations(other.team.owner.ctx)).toEqual([]);
    await expect(revokeInvitation(other.team.owner.ctx, id)).rejects.toMatchObject(GONE);
  });

  it('counts toward the quota unless expired, and fails after a downgrade', async () => {
    const { clock, services, team, invite, acceptAsNew } = await begin({ plan: 'free' });
    const limit = { code: 'PLAN_LIMIT_EXCEEDED' };
    const [first] = [await invite(), await invite()];
    await expect(invite()).rejects.toMatchObject(limit);
    clock.advance(WEEK);
    const [second, third] = [await invite(), await invite()];
    await expect(acceptAsNew(first.token)).rejects.toMatchObject(GONE);
    await changePlan(services, team.organizationId, 'pro');
    const fourth = await invite();
    await changePlan(services, team.organizationId, 'free');
    await acceptAsNew(second.token);
    await acceptAsNew(third.token);
    await expect(acceptAsNew(fourth.token)).rejects.toMatchObject(limit);
    await changePlan(services, team.organizationId, 'pro');
    await acceptAsNew(fourth.token);
  });

  it('of a member is rejected; a user who became a member in the meantime keeps their role', async () => {
    const { team, invite, accept } = await begin();
    const person = await team.stranger();
    const { token } = await invite({ email: person.email, role: 'admin' });
    await expect(invite({ email: team.owner.email })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'email' }],
    });
    const membership = { organizationId: team.organizationId, userId: person.id };
    await database.db.membership.create({ data: { ...membership, role: 'viewer', createdAt: START } });
    await accept(token, person.id);
    expect(await team.roles()).toMatchObject({ [person.id]: 'viewer' });
  });

  it('is in the audit log when created and accepted, without its link', async () => {
    const { team, invite, acceptAsNew } = await begin();
    const { token, email } = await invite();
    await acceptAsNew(token);
    const { organizationId } = team;
    const entries = await database.db.auditEntry.findMany({
      where: { organizationId },
      orderBy: { number: 'asc' },
    });
    expect(entries).toMatchObject([
      { action: 'invitation.create', actorLabel: team.owner.email, subjectLabel: email },
      { action: 'invitation.accept', actorLabel: email, subjectLabel: email, after: { role: 'member' } },
    ]);
    expect(JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? '' : value))).not.toContain(
      token,
    );
  });
});
