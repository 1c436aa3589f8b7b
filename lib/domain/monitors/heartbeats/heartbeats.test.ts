import { describe, expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requestCheck } from '@/lib/domain/monitors/check-monitor';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginCalls } from '@/lib/engine/heartbeats/testing/call-story';
import { createMonitorSchema, updateMonitorSchema } from '@/lib/schemas/monitor';
import { listMonitorsQuery } from '@/lib/schemas/monitor/monitor-query';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization } from '@/lib/testing/services';
import { rotateHeartbeat } from './rotate-heartbeat';

const database = useTestDatabase();
const DAILY = { period: 86_400, grace: 600 };
const begin = (fields: object = DAILY) => beginCalls(database.db, fields);
const DAY_MS = 86_400_000;

describe('the URL of a heartbeat', () => {
  it('has a token that is stored sealed, below the public URL or the address that the caller uses', async () => {
    const { ctx, id, readToken } = await begin();
    const token = await readToken();
    expect(token).toMatch(/^[\w-]{32}$/);
    const at = async (address: object) => (await getMonitor({ ...ctx, ...address }, id)).heartbeatUrl;
    expect(await at({ appUrl: 'https://pharos.test' })).toBe(`https://pharos.test/heartbeat/${token}`);
    expect(await at({ baseUrl: 'http://10.0.0.5:3000' })).toBe(`http://10.0.0.5:3000/heartbeat/${token}`);
    const row = await database.db.monitor.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(row.heartbeatTokenSealed ?? []).toString('latin1')).not.toContain(token);
  });

  it.each([
    ['a key with the scope read', { kind: 'key', keyId: 'key_1', scope: 'read' }],
    ['a viewer', { kind: 'user', userId: 'usr_1', role: 'viewer' }],
  ] as const)('is hidden from %s, also in lists', async (_, actor) => {
    const { ctx, id } = await begin();
    const reading = { ...ctx, actor };
    expect((await getMonitor(reading, id)).heartbeatUrl).toBe('[hidden]');
    const { items } = await listMonitors(reading, listMonitorsQuery.parse({}));
    expect(items.map(({ heartbeatUrl }) => heartbeatUrl)).toEqual(['[hidden]']);
  });

  it('is in no event, audit entry or stored text', async () => {
    const { ctx, id, call, readToken, events, organizationId } = await begin();
    await call();
    await call('failure');
    await updateMonitor(ctx, id, { name: 'Nightly backup' });
    await rotateHeartbeat(ctx, id);
    const audit = await database.db.auditEntry.findMany({ where: { organizationId } });
    const texts = JSON.stringify([await events(), audit.map((entry) => ({ ...entry, number: 0 }))]);
    expect(texts).toContain('monitor.rotate-heartbeat');
    expect(texts).not.toContain(await readToken());
    expect(texts).not.toContain('/heartbeat/');
  });

  it('is null for other types', async () => {
    const { ctx } = await begin();
    const { heartbeatUrl } = await createMonitor(
      ctx,
      createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' }),
    );
    expect(heartbeatUrl).toBeNull();
  });

  it('is unknown once it is rotated, and the new one is known', async () => {
    const { ctx, id, readToken, callWith } = await begin();
    const old = await readToken();
    await rotateHeartbeat(ctx, id);
    expect(await callWith(old)).toBe(false);
    expect(await callWith(await readToken())).toBe(true);
  });

  it('cannot be rotated by others, nor for other types', async () => {
    const { ctx, id, services } = await begin();
    const other = await createTestOrganization(services);
    await expect(rotateHeartbeat(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const viewer = { ...ctx, actor: { kind: 'user', userId: 'usr_1', role: 'viewer' } as const };
    await expect(rotateHeartbeat(viewer, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await updateMonitor(ctx, id, { type: 'ping', url: '127.0.0.1' });
    await expect(rotateHeartbeat(ctx, id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a monitor that becomes a heartbeat', () => {
  it('loses its target and schedule, and awaits a first call; and back', async () => {
    const { ctx, addMonitor, take } = await begin();
    const { id } = await addMonitor();
    const { version: _, ...changed } = await updateMonitor(ctx, id, { type: 'heartbeat', period: 3600 });
    expect(changed).toMatchObject({ type: 'heartbeat', url: '', status: 'pending' });
    expect(changed.heartbeatUrl).toMatch(/^\/heartbeat\/[\w-]{32}$/);
    expect(await take()).toEqual([]);
    const target = { type: 'http', url: 'http://shop.test/' } as const;
    expect(await updateMonitor(ctx, id, target)).toMatchObject({ ...target, heartbeatUrl: null });
    expect(await take()).toHaveLength(1);
    expect(await database.db.heartbeat.count({ where: { monitorId: id } })).toBe(0);
  });

  it('has the next version, and so has one that becomes one again, or no longer is one', async () => {
    const { ctx, addMonitor } = await begin();
    const { id } = await addMonitor();
    const heartbeat = { type: 'heartbeat', period: 3600 } as const;
    const http = { type: 'http', url: 'http://shop.test/' } as const;
    const first = await updateMonitor(ctx, id, heartbeat);
    const versions = [first.version];
    for (const change of [http, heartbeat]) versions.push((await updateMonitor(ctx, id, change)).version);
    expect(versions).toEqual([2, 3, 4]);
    expect((await getMonitor(ctx, id)).heartbeatUrl).toBe(first.heartbeatUrl);
  });

  it('cannot do so without a period or schedule, or with both', async () => {
    const { ctx, addMonitor } = await begin();
    const { id } = await addMonitor();
    const schedule = { cron: '0 3 * * *', timeZone: 'UTC' };
    for (const plan of [{}, { period: 60, schedule }]) {
      await expect(updateMonitor(ctx, id, { type: 'heartbeat', ...plan })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'period', code: 'conflict' }],
      });
    }
  });
});

describe('a threshold that is reset by null', () => {
  const change = async (ctx: OrganizationContext, id: string, sent: object) =>
    (await updateMonitor(ctx, id, updateMonitorSchema.parse({ alertThreshold: null, ...sent })))
      .alertThreshold;

  it('is 1 for a heartbeat, and for a monitor that becomes one, and 3 for others', async () => {
    const { ctx, id } = await begin({ ...DAILY, alertThreshold: 5 });
    expect(await change(ctx, id, {})).toBe(1);
    expect(await change(ctx, id, { type: 'http', url: 'http://shop.test/' })).toBe(3);
    expect(await change(ctx, id, { type: 'heartbeat' })).toBe(1);
  });
});

describe('the deadline of a heartbeat', () => {
  const readDeadline = async (id: string) =>
    (await database.db.heartbeat.findUniqueOrThrow({ where: { monitorId: id } })).deadlineAt?.getTime();

  it('is a whole period away with another period or schedule, and keeps the status', async () => {
    const { ctx, id, clock, call, pass, status } = await begin();
    await call();
    await pass(3600);
    await updateMonitor(ctx, id, { period: 7200 });
    expect(await readDeadline(id)).toBe(clock.now().getTime() + 7_800_000);
    await updateMonitor(ctx, id, { period: null, schedule: { cron: '0 15 * * *', timeZone: 'UTC' } });
    expect(await readDeadline(id)).toBe(Date.parse('2026-03-01T15:10:00Z'));
    expect(await status()).toBe('operational');
  });

  it('moves with the grace alone, and stays with any other change', async () => {
    const { ctx, id, clock, call } = await begin();
    const called = clock.now().getTime();
    await call();
    await updateMonitor(ctx, id, { grace: 1200 });
    expect(await readDeadline(id)).toBe(called + DAY_MS + 1_200_000);
    clock.advance(60_000);
    await updateMonitor(ctx, id, { name: 'Nightly backup', alertThreshold: 2 });
    expect(await readDeadline(id)).toBe(called + DAY_MS + 1_200_000);
  });
});

it('a heartbeat cannot be tested or checked now, because nothing is probed', async () => {
  const { ctx, id } = await begin();
  await expect(requestCheck(ctx, id)).rejects.toMatchObject({ details: [{ path: 'type' }] });
  const input = createMonitorSchema.parse({ name: 'Backup', type: 'heartbeat', period: 60 });
  await expect(testMonitor(ctx, input)).rejects.toMatchObject({ details: [{ path: 'type' }] });
});
