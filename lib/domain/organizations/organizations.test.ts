import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createTestTeam } from '@/lib/domain/members/testing/people';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { remindersSchema } from '@/lib/schemas/incidents/reminders';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { deleteOrganization, renameOrganization } from './change-organization';
import { addOrganization, listOwnOrganizations, switchOrganization } from './create-organization';
import { changeReminders, readReminders } from './reminders';

const START = new Date('2027-01-01T00:00:00Z');
const database = useSharedDatabase();
const begin = async () => {
  const services = createTestServices({ db: database.db, clock: createManualClock(START) });
  return { services, team: await createTestTeam(services) };
};

describe('an organization', () => {
  it('is renamed by admins and logs it once', async () => {
    const { team } = await begin();
    const [admin, member] = [await team.add('admin'), await team.add('member')];
    await renameOrganization(admin.ctx, { name: 'Acme 2' });
    await renameOrganization(admin.ctx, { name: 'Acme 2' });
    for (const ctx of [member.ctx, team.byKey]) {
      await expect(renameOrganization(ctx, { name: 'Mine' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const { organizationId } = team;
    const entries = await database.db.auditEntry.findMany({ where: { organizationId } });
    expect(entries).toMatchObject([{ before: { name: 'Test' }, after: { name: 'Acme 2' } }]);
  });

  it('is reminded as its admins choose, within bounds, which is logged', async () => {
    const { team } = await begin();
    const [admin, member] = [await team.add('admin'), await team.add('member')];
    expect(await readReminders(member.ctx), 'off by default').toEqual({ reminderMinutes: null });
    await changeReminders(admin.ctx, { reminderMinutes: 30 });
    await changeReminders(admin.ctx, { reminderMinutes: 30 });
    expect(await readReminders(member.ctx)).toEqual({ reminderMinutes: 30 });
    for (const ctx of [member.ctx, team.byKey]) {
      const refused = changeReminders(ctx, { reminderMinutes: null });
      await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const entries = await database.db.auditEntry.findMany({ where: { organizationId: team.organizationId } });
    expect(entries).toMatchObject([{ before: { reminderMinutes: null }, after: { reminderMinutes: 30 } }]);
    const isAllowed = (reminderMinutes: unknown) => remindersSchema.safeParse({ reminderMinutes }).success;
    expect([5, 1440, null].every(isAllowed)).toBe(true);
    expect([4, 1441, 7.5, Number.NaN, '30'].some(isAllowed)).toBe(false);
  });

  it('is deleted by its owner by typing its name; only the users remain', async () => {
    const { team, services } = await begin();
    const other = await createTestTeam(services);
    const { owner, organizationId } = team;
    const admin = await team.add('admin');
    await createMonitor(owner.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://127.0.0.1:9/' }));
    const { id } = await createWebhook(owner.ctx, createWebhookSchema.parse({ url: 'http://127.0.0.1:9/' }));
    await testWebhook(owner.ctx, id);

    for (const ctx of [admin.ctx, team.byKey]) {
      await expect(deleteOrganization(ctx, { name: 'Test' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(deleteOrganization(owner.ctx, { name: 'test' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'name' }],
    });
    await deleteOrganization(owner.ctx, { name: 'Test' });

    const { db } = services;
    const where = { organizationId };
    const left = await Promise.all([
      db.organization.count({ where: { id: organizationId } }),
      db.membership.count({ where }),
      db.apiKey.count({ where }),
      db.monitor.count({ where }),
      db.delivery.count({ where }),
      db.outboxEvent.count({ where }),
      db.auditEntry.count({ where }),
    ]);
    expect(left).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await db.user.count({ where: { id: { in: [owner.id, admin.id] } } })).toBe(2);
    expect(await db.organization.count({ where: { id: other.organizationId } })).toBe(1);
    await expect(deleteOrganization(owner.ctx, { name: 'Test' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a person', () => {
  it('can have several organizations, own up to ten, and sees only theirs', async () => {
    const { services, team } = await begin();
    const userId = team.owner.id;
    const add = (name: string) => addOrganization(services, { userId, name, plan: 'free' });
    const { organizationId } = await add('Alpha');
    expect(await listOwnOrganizations(services, userId)).toEqual([
      { id: organizationId, name: 'Alpha', role: 'owner' },
      { id: team.organizationId, name: 'Test', role: 'owner' },
    ]);
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => add(`More ${n}`)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    expect(await listOwnOrganizations(services, userId)).toHaveLength(10);
    expect(await listOwnOrganizations(services, (await team.stranger()).id)).toEqual([]);
  });

  it('switches one session to another of their organizations', async () => {
    const { services, team } = await begin();
    const userId = team.owner.id;
    const { organizationId } = await addOrganization(services, { userId, name: 'Beta', plan: 'free' });
    const foreign = await createTestTeam(services);
    const times = { createdAt: START, lastSeenAt: START, expiresAt: START };
    for (const id of ['ses_one', 'ses_two'])
      await database.db.session.create({ data: { id, userId, ...times } });

    await switchOrganization(services, { sessionId: 'ses_one', userId, organizationId });
    const foreignSwitch = { sessionId: 'ses_one', userId, organizationId: foreign.organizationId };
    await expect(switchOrganization(services, foreignSwitch)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const sessions = await database.db.session.findMany({ where: { userId }, orderBy: { id: 'asc' } });
    expect(sessions.map((session) => session.organizationId)).toEqual([organizationId, null]);
  });
});
