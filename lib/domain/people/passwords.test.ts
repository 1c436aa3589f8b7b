import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import type { Role } from '@/lib/domain/context/organization-context';
import { findUserByPassword } from '@/lib/domain/organizations/password';
import { mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  changePassword,
  createPasswordReset,
  createPasswordResetByOperator,
  readPasswordReset,
  requestPasswordReset,
  resetPassword,
} from './passwords';
import { beginEnrollment, confirmEnrollment } from './second-factor/enroll-second-factor';
import { totpCode } from './second-factor/totp';
import { createSession, listSessions } from './sessions';

const database = useSharedDatabase();
let now = new Date('2027-01-01T00:00:00Z');
let services: ReturnType<typeof createTestServices>;
const visitor = { address: null, userAgent: null };

beforeAll(() => {
  const clock = { now: () => now };
  services = {
    ...createTestServices({ db: database.db, clock, mail: true }),
    appUrl: 'https://pharos.test',
  };
});

async function makePerson() {
  const { userId, organizationId, ctx } = await createTestOrganization(services);
  const { email } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
  const owner = { ...ctx, actor: { kind: 'user', userId, role: 'owner' } as const };
  return { userId, organizationId, email, owner };
}

/** The pending emails to an address, newest first. */
async function mailsTo(recipient: string) {
  const rows = await database.db.mail.findMany({ where: { recipient }, orderBy: { id: 'desc' } });
  return rows.map(({ id, kind, contentSealed }) => {
    const content = mailContentSchema.parse(
      JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id)),
    );
    return { kind, url: content.button?.url ?? '', subject: content.subject };
  });
}

async function mailedToken(email: string): Promise<string> {
  const [mail] = await mailsTo(email);
  expect(mail?.url).toMatch(/^https:\/\/pharos\.test\/reset-password\?token=[\w-]{43}$/);
  return new URL(mail?.url ?? '').searchParams.get('token') ?? '';
}

const reset = (token: string, password = 'new and better') =>
  resetPassword(services, { token, password, address: '203.0.113.7' });

describe('a mailed reset link', () => {
  it('sets the password once, ends all sessions, is logged everywhere and sends an email', async () => {
    const { userId, organizationId, email } = await makePerson();
    await createSession(services, { userId, ...visitor });
    await requestPasswordReset(services, email);
    const token = await mailedToken(email);
    expect(await readPasswordReset(services, token)).toMatchObject({ email, hasFactor: false });

    const outcomes = await Promise.allSettled([reset(token), reset(token), reset(token)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(reset(token)).rejects.toThrow('has already been used');
    expect(await findUserByPassword(services, email, 'new and better')).toMatchObject({ id: userId });
    expect(await findUserByPassword(services, email, 'correct horse')).toBeNull();
    expect(await listSessions(services, userId)).toEqual([]);
    const [entry] = await database.db.auditEntry.findMany({ where: { organizationId } });
    expect(entry).toMatchObject({
      action: 'member.reset-password',
      actorId: userId,
      subjectLabel: email,
      address: '203.0.113.7',
    });
    expect(JSON.stringify(entry?.after)).not.toContain('better');
    expect((await mailsTo(email))[0]).toMatchObject({
      kind: 'account-security',
      subject: 'Your password was changed',
    });
  });

  it('is valid for an hour, until a newer link or another password change', async () => {
    const { userId, email } = await makePerson();
    await requestPasswordReset(services, email);
    const older = await mailedToken(email);
    await requestPasswordReset(services, email);
    const newer = await mailedToken(email);
    await expect(reset(older)).rejects.toThrow('is not valid');
    const begin = now;
    now = new Date(begin.getTime() + 3_600_000);
    await expect(reset(newer)).rejects.toThrow('has expired');
    now = begin;
    await changePassword(services, {
      userId,
      sessionId: 'ses_none',
      newPassword: 'changed it',
      address: null,
    });
    await expect(reset(newer)).rejects.toThrow('is not valid');
  });

  it('takes effect only with the second factor of a person who has one; a wrong code does not use it up', async () => {
    const { userId, email } = await makePerson();
    const user = { id: userId, email };
    const secret = await beginEnrollment(services, userId);
    const codes = await database.db.$transaction((tx) =>
      confirmEnrollment(tx, services, { user, code: totpCode(secret, now), address: null }),
    );
    await requestPasswordReset(services, email);
    const token = await mailedToken(email);
    expect(await readPasswordReset(services, token)).toMatchObject({ hasFactor: true });
    expect(await reset(token)).toBeNull();
    const input = { token, password: 'new and better', address: null };
    expect(await resetPassword(services, { ...input, factor: { code: '000000' } })).toBeNull();
    expect(await findUserByPassword(services, email, 'correct horse')).not.toBeNull();
    expect(await resetPassword(services, { ...input, factor: { code: codes?.[0] ?? '' } })).toEqual({
      email,
    });
    expect(await findUserByPassword(services, email, 'new and better')).not.toBeNull();
    await expect(reset(token)).rejects.toThrow('has already been used');
  });

  it('is bound to the address it was requested for', async () => {
    const { userId, email } = await makePerson();
    await requestPasswordReset(services, email);
    const token = await mailedToken(email);
    await database.db.user.update({ where: { id: userId }, data: { email: `new-${email}` } });
    await expect(reset(token)).rejects.toThrow('for another address');
  });

  it('is not sent to unknown addresses or if links cannot be mailed', async () => {
    await requestPasswordReset(services, 'stranger@example.com');
    expect(await mailsTo('stranger@example.com')).toEqual([]);
    const { email } = await makePerson();
    await requestPasswordReset({ ...services, appUrl: null }, email);
    await requestPasswordReset({ ...services, mail: { isOn: false } }, email);
    expect(await mailsTo(email)).toEqual([]);
  });
});

describe('a reset link created by an admin', () => {
  async function addMember(organizationId: string, role: Role): Promise<string> {
    const id = createId('user');
    const email = `${id}@example.com`;
    await database.db.user.create({
      data: { id, email, passwordHash: 'x', createdAt: now, updatedAt: now },
    });
    await database.db.membership.create({ data: { organizationId, userId: id, role, createdAt: now } });
    return id;
  }

  it('is valid for a day, only for members of this organization', async () => {
    const { owner, organizationId } = await makePerson();
    const member = await addMember(organizationId, 'member');
    const { path, expiresAt } = await createPasswordReset(owner, member);
    expect(expiresAt.getTime() - now.getTime()).toBe(86_400_000);
    await reset(new URL(path, 'http://x').searchParams.get('token') ?? '');
    expect(await findUserByPassword(services, `${member}@example.com`, 'new and better')).not.toBeNull();
    const entries = await database.db.auditEntry.findMany({
      where: { organizationId },
      orderBy: { number: 'asc' },
    });
    expect(entries.map(({ actorId, subjectId }) => [actorId, subjectId])).toEqual([
      [owner.actor.userId, member],
      [member, member],
    ]);
  });

  it('is rejected for users of other organizations, higher roles and non-members, and for keys and members', async () => {
    const { owner, organizationId, userId } = await makePerson();
    const member = await addMember(organizationId, 'member');
    const elsewhere = await makePerson();
    await database.db.membership.create({
      data: { organizationId, userId: elsewhere.userId, role: 'viewer', createdAt: now },
    });
    const as = (role: Role) => ({ ...owner, actor: { kind: 'user', userId: member, role } as const });
    await expect(createPasswordReset(owner, elsewhere.userId)).rejects.toThrow('another organization');
    await expect(createPasswordReset(as('admin'), userId)).rejects.toThrow('Only an owner');
    await expect(createPasswordReset(as('member'), member)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(createPasswordReset(owner, (await makePerson()).userId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const key = { ...owner, actor: { kind: 'key', keyId: 'key_1', scope: 'write' } as const };
    await expect(createPasswordReset(key, member)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await database.db.oneTimeToken.count({ where: { createdBy: userId } })).toBe(0);
  });

  it('can be created by the operator for anybody and is logged in each of their organizations', async () => {
    const { email, organizationId } = await makePerson();
    await createPasswordResetByOperator(services, email);
    expect(await database.db.auditEntry.findFirst({ where: { organizationId } })).toMatchObject({
      actorKind: 'operator',
      subjectLabel: email,
    });
    await expect(createPasswordResetByOperator(services, 'no@example.com')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

it('a change by the user ends all their other sessions', async () => {
  const { userId } = await makePerson();
  const own = await createSession(services, { userId, ...visitor });
  await createSession(services, { userId, ...visitor });
  await changePassword(services, { userId, sessionId: own, newPassword: 'changed it', address: null });
  expect((await listSessions(services, userId)).map(({ id }) => id)).toEqual([own]);
});
