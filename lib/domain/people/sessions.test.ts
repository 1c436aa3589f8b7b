import { beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { findPerson } from './profile';
import { createSession, endSession, endSessionsOf, findSession, listSessions } from './sessions';

const database = useSharedDatabase();
let now = new Date('2027-01-01T00:00:00Z');
const clock = { now: () => now };
const HOUR = 3_600_000;
const visitor = { address: '203.0.113.7', userAgent: 'Firefox\0' };

let organization: TestOrganization;
let services: ReturnType<typeof createTestServices>;
const signIn = () => createSession(services, { userId: organization.userId, ...visitor });

beforeAll(async () => {
  services = createTestServices({ db: database.db, clock });
  organization = await createTestOrganization(services);
});

describe('a session', () => {
  it('has the current user, organization and role', async () => {
    const { userId, organizationId } = organization;
    const id = await signIn();
    expect(await findSession(services, id)).toMatchObject({ id, userId, organizationId, role: 'owner' });
    await database.db.membership.updateMany({ where: { userId }, data: { role: 'viewer' } });
    expect(await findSession(services, id)).toMatchObject({ role: 'viewer' });
    await database.db.membership.updateMany({ where: { userId }, data: { role: 'owner' } });
  });

  it('ends when it is ended, when it expires, and when the user belongs to no organization', async () => {
    const { userId, organizationId } = organization;
    const [ended, expiring] = [await signIn(), await signIn()];
    await endSession(services, userId, ended);
    expect(await findSession(services, ended)).toBeNull();

    const begin = now;
    now = new Date(begin.getTime() + services.sessions.idleMs);
    expect(await findSession(services, expiring)).toBeNull();
    expect(await listSessions(services, userId)).toEqual([]);
    now = begin;
    expect(await findSession(services, expiring)).not.toBeNull();

    await database.db.membership.delete({ where: { organizationId_userId: { organizationId, userId } } });
    expect(await findSession(services, expiring)).toBeNull();
    await database.db.membership.create({ data: { organizationId, userId, role: 'owner', createdAt: now } });
  });

  it('acts for an organization only with the second factor that it requires by now', async () => {
    const { userId, organizationId } = organization;
    const { db } = database;
    const id = await signIn();
    const require = (secondFactorFrom: Date | null) =>
      db.organization.update({ where: { id: organizationId }, data: { secondFactorFrom } });
    await require(new Date(now.getTime() + 1));
    expect(await findSession(services, id)).toMatchObject({ hasFactor: false });
    expect(await findPerson(services, id)).toMatchObject({ lacksFactor: false });
    await require(now);
    expect(await findSession(services, id)).toBeNull();
    expect(await findPerson(services, id)).toMatchObject({ userId, hasFactor: false, lacksFactor: true });
    const secretSealed = services.keyring.seal('x', `${userId}/totp`);
    await db.totpFactor.create({ data: { userId, secretSealed, confirmedAt: now, createdAt: now } });
    expect(await findSession(services, id)).toMatchObject({ hasFactor: true });
    expect(await findPerson(services, id)).toMatchObject({ hasFactor: true, lacksFactor: false });
    await require(null);
    await db.totpFactor.delete({ where: { userId } });
  });

  it('lasts while it is used, up to its maximum age, or for the idle time if unused', async () => {
    const [lifetimeMs, idleMs] = [5 * HOUR, 2 * HOUR];
    const own = { ...services, sessions: { lifetimeMs, idleMs } };
    const begin = now;
    const id = await createSession(own, { userId: organization.userId, ...visitor });
    const useAfter = (hours: number) => {
      now = new Date(begin.getTime() + hours * HOUR);
      return findSession(own, id, visitor);
    };
    for (const hours of [1.9, 3.8, 4.9]) expect(await useAfter(hours), `after ${hours} h`).not.toBeNull();
    expect(await useAfter(5), 'its lifetime is over, however much it was used').toBeNull();
    now = begin;
    const idle = await createSession(own, { userId: organization.userId, ...visitor });
    now = new Date(begin.getTime() + 2 * HOUR);
    expect(await findSession(own, idle, visitor), 'unused').toBeNull();
    now = begin;
  });

  it('keeps the chosen organization while the user belongs to it', async () => {
    const { userId, organizationId } = organization;
    const { email } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
    now = new Date(now.getTime() + 1000);
    const second = await createOrganization(services, {
      name: 'Second',
      plan: 'free',
      email,
      password: 'correct horse',
    });
    const id = await signIn();
    expect(await findSession(services, id)).toMatchObject({ organizationId });
    const choose = (chosen: string) =>
      database.db.session.update({ where: { id }, data: { organizationId: chosen } });
    await choose(second.organizationId);
    expect(await findSession(services, id)).toMatchObject({ organizationName: 'Second' });

    const stranger = await createTestOrganization(services);
    await choose(stranger.organizationId);
    expect(await findSession(services, id)).toMatchObject({ organizationId });
    await choose(second.organizationId);
    await database.db.organization.delete({ where: { id: second.organizationId } });
    expect(await findSession(services, id)).toMatchObject({ organizationId });
  });

  it('records when and from where it was used, once a minute', async () => {
    const id = await signIn();
    const read = () => database.db.session.findUniqueOrThrow({ where: { id } });
    expect(await read()).toMatchObject({ lastSeenAt: now, address: '203.0.113.7', userAgent: 'Firefox' });
    const begin = now;
    const elsewhere = { address: '2001:db8::1', userAgent: 'Safari' };
    now = new Date(begin.getTime() + 60_000);
    await findSession(services, id, elsewhere);
    expect(await read()).toMatchObject({ lastSeenAt: begin });
    now = new Date(begin.getTime() + 60_001);
    await findSession(services, id, elsewhere);
    expect(await read()).toMatchObject({ lastSeenAt: now, ...elsewhere });
  });
});

describe('the sessions of a user', () => {
  it('end together except one, without affecting other users', async () => {
    const stranger = await createTestOrganization(services);
    const theirs = await createSession(services, { userId: stranger.userId, ...visitor });
    await endSessionsOf(database.db, organization.userId);
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    expect((await listSessions(services, organization.userId)).map(({ id }) => id).sort()).toEqual(
      [first, second, third].sort(),
    );
    await endSession(services, organization.userId, theirs);
    expect(await endSessionsOf(database.db, organization.userId, { except: second })).toBe(2);
    expect((await listSessions(services, organization.userId)).map(({ id }) => id)).toEqual([second]);
    expect(await findSession(services, theirs)).not.toBeNull();
  });
});
