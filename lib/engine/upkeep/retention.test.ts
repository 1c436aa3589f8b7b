import { beforeAll, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { createId } from '@/lib/core/ids';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { copyMonitor, writePeriods } from '@/lib/domain/monitors/testing/history';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, START } from '@/lib/engine/testing/story';
import { BACKUP_LOCK } from '@/lib/platform/backup/snapshot/connect';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { applyRetention, ensureResultPartitions } from './retention';
import { rollUp } from './roll-up';

const DAY = 86_400_000;
const database = useTestDatabase();
const daysAgo = (days: number) => new Date(START.getTime() - days * DAY);
const RETENTION = { rawDays: 30 };

let story: Awaited<ReturnType<typeof beginStory>>;

beforeAll(async () => {
  story = await beginStory(database.db);
});

async function listPartitions(prefix: string): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'raw' AND tablename LIKE ${`${prefix}%`}`;
  return rows.map(({ name }) => name.slice(prefix.length)).sort();
}

const rolledUntil = (at: Date) => database.db.$executeRaw`
  INSERT INTO raw.rollup_progress (rolled_until) VALUES (${at})
  ON CONFLICT (id) DO UPDATE SET rolled_until = excluded.rolled_until`;

describe('raw results', () => {
  it('are deleted by whole days once the last of a day is old enough, never before they are rolled up', async () => {
    for (const days of [40, 32]) await ensureResultPartitions(database.db, daysAgo(days));
    const oldest = (await listPartitions('check_result_'))[0];
    expect(oldest).toBe('20260119');

    await applyRetention(story.services, RETENTION);
    expect((await listPartitions('check_result_'))[0]).toBe(oldest);

    await rolledUntil(daysAgo(35));
    await applyRetention(story.services, RETENTION);
    expect((await listPartitions('check_result_'))[0]).toBe('20260125');

    await rolledUntil(START);
    await applyRetention(story.services, RETENTION);
    expect((await listPartitions('check_result_'))[0]).toBe('20260130');
  });

  it('are kept while a backup reads them', async () => {
    const client = await connectTo(database.url);
    await client.query('SELECT pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
    await rolledUntil(START);
    const before = await listPartitions('check_result_');
    await applyRetention(story.services, { rawDays: 10 });
    expect(await listPartitions('check_result_')).toEqual(before);
    await client.query('SELECT pg_advisory_unlock_shared($1)', [BACKUP_LOCK]);
    await applyRetention(story.services, { rawDays: 10 });
    expect(await listPartitions('check_result_')).not.toEqual(before);
  });

  it('are kept as long as configured', async () => {
    await rolledUntil(START);
    await applyRetention(story.services, { rawDays: 1 });
    expect((await listPartitions('check_result_'))[0]).toBe('20260228');
  });

  it('are deleted by concurrent workers that meet at the same table', async () => {
    for (let round = 0; round < sized(1, { thorough: 6 }); round++) {
      for (const days of [60, 50, 40]) await ensureResultPartitions(database.db, daysAgo(days));
      await rolledUntil(START);
      await Promise.all([1, 2, 3, 4].map(() => applyRetention(story.services, RETENTION)));
    }
    expect((await listPartitions('check_result_'))[0]).toBe('20260228');
  });
});

it('evidence is deleted after 30 days', async () => {
  const { db } = database;
  const { id } = await story.addMonitor();
  const rows = [29.9, 30.1, 60].map((days, row) => ({
    id: `evd_${row}`,
    monitorId: id,
    region: 1,
    kind: 'failure' as const,
    checkedAt: daysAgo(days),
    contentSealed: new Uint8Array([1]),
  }));
  await db.checkEvidence.createMany({ data: rows });
  await applyRetention(story.services, RETENTION);
  expect(await db.checkEvidence.findMany({ where: { monitorId: id } })).toEqual([rows[0]]);
});

it('rollups are deleted by whole months after 400 days', async () => {
  await ensureResultPartitions(database.db, daysAgo(440));
  for (const from of ['2024-12-31T00:00:00.000Z', '2025-02-10T00:00:00.000Z']) {
    await rolledUntil(new Date(from));
    await rollUp(story.services);
  }
  expect(await listPartitions('rollup_hour_')).toEqual(['202412', '202501', '202502']);
  await applyRetention(story.services, RETENTION);
  expect(await listPartitions('rollup_hour_')).toEqual(['202501', '202502']);
});

it('the ledger and its days are kept for 400 days, with overlapping periods and months complete', async () => {
  const { db } = database;
  const { id } = await story.addMonitor();
  const copies = await copyMonitor(db, id, 3);
  for (const monitor of [id, ...copies]) {
    await writePeriods(db, monitor, [
      { state: 'pending', from: daysAgo(900) },
      { state: 'operational', from: daysAgo(800) },
      { state: 'down', from: daysAgo(410) },
      { state: 'operational', from: daysAgo(390) },
    ]);
  }
  const oldestMonths = () => db.uptimeMonth.groupBy({ by: ['monitorId'], _min: { month: true } });
  expect((await oldestMonths()).every(({ _min }) => _min.month && _min.month < daysAgo(790))).toBe(true);
  await Promise.all([1, 2].map(() => applyRetention(story.services, RETENTION)));
  // The first month with a day that is kept.
  const kept = daysAgo(400).toISOString().slice(0, 7);
  const months = (await oldestMonths()).map(({ _min }) => _min.month?.toISOString().slice(0, 7));
  expect(months).toEqual([kept, kept, kept, kept]);
  for (const monitorId of [id, ...copies]) {
    const periods = await db.statusPeriod.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
    expect(periods.map(({ from }) => from)).toEqual([daysAgo(410), daysAgo(390)]);
  }
});

it('past maintenance is kept for 400 days, upcoming maintenance regardless of age', async () => {
  const { db } = database;
  const { organizationId } = story;
  const addOccurrence = async (days: number, endedAt: Date | null) => {
    const times = { startsAt: daysAgo(days + 1), endsAt: daysAgo(days) };
    const { id } = await db.maintenanceWindow.create({
      data: {
        id: createId('maintenance'),
        organizationId,
        title: 'Upgrade',
        message: '',
        ...times,
        timeZone: 'UTC',
        createdAt: START,
        updatedAt: START,
        occurrences: { create: { ...times, endedAt } },
      },
    });
    return id;
  };
  await addOccurrence(401, daysAgo(401));
  const left = [await addOccurrence(399, daysAgo(399)), await addOccurrence(500, null)];
  await Promise.all([1, 2].map(() => applyRetention(story.services, RETENTION)));
  const kept = await db.maintenanceOccurrence.findMany({ where: { window: { organizationId } } });
  expect(kept.map(({ windowId }) => windowId).sort()).toEqual(left.sort());
});

it('the audit log is kept for 400 days', async () => {
  const { db } = database;
  const { organizationId } = story;
  const addEntry = async (days: number) => {
    const id = createId('auditEntry');
    const deed = { action: 'monitor.create', actorKind: 'operator', actorLabel: 'command line' } as const;
    const subject = { subjectId: 'mon_gone', subjectLabel: 'Shop' };
    await db.auditEntry.create({ data: { id, organizationId, at: daysAgo(days), ...deed, ...subject } });
    return id;
  };
  await addEntry(401);
  await addEntry(500);
  const left = await addEntry(399);
  await Promise.all([1, 2].map(() => applyRetention(story.services, RETENTION)));
  const kept = await db.auditEntry.findMany({ where: { organizationId, subjectId: 'mon_gone' } });
  expect(kept.map(({ id }) => id)).toEqual([left]);
});

it('events are deleted after 30 days with their deliveries and attempts, except pending ones', async () => {
  const { db } = database;
  const { organizationId } = story;
  const addEvent = async (days: number, status: 'delivered' | 'pending') => {
    const event = { id: createId('event'), organizationId, kind: 'monitor.up', payload: '{}' };
    await db.outboxEvent.create({ data: { ...event, occurredAt: daysAgo(days) } });
    const delivery = { id: createId('delivery'), organizationId, eventId: event.id, endpointId: 'whk_gone' };
    await db.delivery.create({
      data: {
        ...delivery,
        status,
        attempts: 1,
        failures: 0,
        nextAttemptAt: status === 'pending' ? START : null,
        createdAt: daysAgo(days),
        attemptLog: { create: { id: createId('attempt'), number: 1, startedAt: daysAgo(days) } },
      },
    });
    return event.id;
  };
  await addEvent(31, 'delivered');
  const waiting = await addEvent(31, 'pending');
  const recent = await addEvent(29, 'delivered');
  await Promise.all([1, 2].map(() => applyRetention(story.services, RETENTION)));
  const left = await db.outboxEvent.findMany({ where: { organizationId }, select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual([waiting, recent].sort());
  expect(await db.delivery.count({ where: { organizationId } })).toBe(2);
  expect(await db.deliveryAttempt.count({ where: { delivery: { organizationId } } })).toBe(2);
});

it('messages of endpoints are forgotten 30 days after their last change, unless an attempt is changing them', async () => {
  const { ctx, services } = story;
  const { id: endpointId } = await createWebhook(
    ctx,
    createWebhookSchema.parse({ url: 'http://receiver.test/', format: 'discord' }),
  );
  const rows = [
    { messageKey: 'inc_old', changedAt: daysAgo(31), leaseUntil: null },
    { messageKey: 'inc_leased', changedAt: daysAgo(31), leaseUntil: START },
    { messageKey: 'inc_new', changedAt: daysAgo(29), leaseUntil: null },
  ];
  await database.db.endpointMessage.createMany({ data: rows.map((row) => ({ endpointId, ...row })) });
  await applyRetention(services, RETENTION);
  const kept = await database.db.endpointMessage.findMany({
    where: { endpointId },
    orderBy: { messageKey: 'asc' },
  });
  expect(kept.map(({ messageKey }) => messageKey)).toEqual(['inc_leased', 'inc_new']);
});

it('mails are deleted after 30 days, including unsent ones', async () => {
  const { db } = database;
  const addMail = (id: string, days: number, end: object) =>
    db.mail.create({
      data: { id, kind: 'test', recipient: 'ada@example.com', createdAt: daysAgo(days), ...end },
    });
  await addMail('mail_sent', 31, { sentAt: daysAgo(31) });
  await addMail('mail_waiting', 31, { nextAttemptAt: daysAgo(31), contentSealed: new Uint8Array([1]) });
  await addMail('mail_recent', 29, { failedAt: daysAgo(29) });
  await applyRetention(story.services, RETENTION);
  expect((await db.mail.findMany()).map(({ id }) => id)).toEqual(['mail_recent']);
});

it('member notices are deleted after 30 days', async () => {
  const { db } = database;
  const { organizationId } = story;
  const notice = { organizationId, kind: 'monitor.down', subjectId: 'mon_gone', subjectName: 'Shop' };
  for (const days of [31, 29])
    await db.memberNotice.create({ data: { ...notice, occurredAt: daysAgo(days) } });
  await applyRetention(story.services, RETENTION);
  const left = await db.memberNotice.findMany({ where: { organizationId } });
  expect(left.map(({ occurredAt }) => occurredAt)).toEqual([daysAgo(29)]);
});

it('does not wait for corrections that are being written, and deletes the expired ones of the monitor next time', async () => {
  const { id: monitorId } = await story.addMonitor();
  const correction = (id: string, days: number) => ({
    id,
    monitorId,
    organizationId: story.organizationId,
    state: 'down' as const,
    reason: '',
    author: '',
    from: daysAgo(days + 1),
    to: daysAgo(days),
    createdAt: START,
  });
  await database.db.ledgerCorrection.create({ data: correction('cor_expired', 401) });
  await writePeriods(database.db, monitorId, [{ state: 'operational', from: daysAgo(10) }]);
  const creation = await holdBeforeCommit(database.db, (db) =>
    createCorrection({ ...story.ctx, db }, monitorId, {
      from: daysAgo(2),
      to: daysAgo(1),
      state: 'maintenance',
      reason: 'Late',
    }),
  );
  const count = () => database.db.ledgerCorrection.count({ where: { monitorId } });
  await applyRetention(story.services, RETENTION);
  expect(await count()).toBe(1);
  await creation.release();
  expect(await count()).toBe(2);
  await applyRetention(story.services, RETENTION);
  expect(await count()).toBe(1);
  const state = await database.db.monitorState.findUniqueOrThrow({ where: { monitorId } });
  expect(state.isCorrected).toBe(true);
});
