import { beforeAll, describe, expect, it } from 'vitest';
import type { CHECK_TYPES } from '@/lib/checks/types';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { monitorSchema } from '@/lib/schemas/monitor';
import { writeMonitor } from '@/lib/schemas/monitor/monitor-parts';
import { useTestDatabase } from '@/lib/testing/database';
import { createCorrection } from '../corrections/change-corrections';
import { readSilences } from '../silence';
import { listMonitors, listMonitorsInParts } from './list-monitors';

const database = useTestDatabase();
const STATUSES = ['operational', 'degraded', 'down', 'pending'] as const;
const TARGETS = {
  http: {
    url: 'https://shop.test/?q="ü"',
    method: 'POST',
    headers: { Authorization: 'Bearer t0ken' },
    body: 'pa55word\n',
  },
  tcp: { url: 'shop.test:443', send: 'PING\r\n' },
  ping: { url: 'shop.test' },
  dns: { url: 'shop.test' },
  heartbeat: { url: '', period: 3600 },
  group: { url: '', memberRule: 'count', memberMinimum: 2 },
} satisfies Record<keyof typeof CHECK_TYPES, object>;

let ctx: OrganizationContext;

beforeAll(async () => {
  const story = await beginStory(database.db);
  ctx = { ...story.ctx, baseUrl: 'https://pharos.test' };
  const { db } = database;
  const typed: [string, (typeof STATUSES)[number]][] = [];
  for (const [type, target] of Object.entries(TARGETS)) {
    for (const status of STATUSES) {
      const name = `"${type}" \\ ${status} — Zürich 🙂\u2028`;
      const monitor = await story.addMonitor({ name, type, ...target, tags: ['a', 'ä'], alertThreshold: 1 });
      typed.push([monitor.id, status]);
    }
  }
  const special = {
    paused: await story.addMonitor({ name: 'Paused', enabled: false }),
    maintained: await story.addMonitor({ name: 'In maintenance' }),
    flapping: await story.addMonitor({ name: 'Flaps' }),
    corrected: await story.addMonitor({ name: 'Corrected', alertThreshold: 1 }),
  };
  for (const result of [OK, FAILED, OK, OK]) await story.check(result);
  for (const [monitorId, status] of typed) {
    const consecutiveFailures = status === 'down' ? 3 : 0;
    await db.monitorState.update({ where: { monitorId }, data: { status, consecutiveFailures } });
  }
  // The regions of these states did not see what the statuses say.
  await db.$executeRaw`UPDATE monitor_state SET machine = machine - 'isContested'`;
  const { maintained, flapping, corrected } = special;
  await db.monitorState.update({
    where: { monitorId: maintained.id },
    data: { statusBeforeMaintenance: 'operational' },
  });
  const now = story.clock.now();
  await db.flapping.create({
    data: {
      organizationId: ctx.organizationId,
      monitorId: flapping.id,
      monitorName: 'Flaps',
      status: 'down',
      firstChangeAt: now,
      since: now,
      lastChangeAt: now,
      lookAt: now,
      eventIds: [],
    },
  });
  const [from, to] = [new Date(story.clock.now().getTime() - 200_000), story.clock.now()];
  await createCorrection(ctx, corrected.id, {
    from,
    to,
    state: 'maintenance',
    reason: 'The probe was wrong',
  });
});

const asReader = (): OrganizationContext => ({
  ...ctx,
  actor: { kind: 'key', keyId: 'key_1', scope: 'read' },
});

describe('a monitor whose configuration was written before', () => {
  it.each([
    ['may change it', () => ctx],
    ['may only read it', asReader],
  ])(
    'is the same text as if it were validated and written whole, of any type and status, for who %s',
    async (_, actor) => {
      for (const _round of ['written', 'from memory']) {
        const { items } = await listMonitors(actor());
        const parts = await listMonitorsInParts(actor(), { sort: '-createdAt' });
        expect(parts.items.map(writeMonitor)).toEqual(
          items.map((item) => JSON.stringify(monitorSchema.parse(item))),
        );
        expect(new Set(items.map(({ type, status }) => `${type} ${status}`)).size).toBeGreaterThanOrEqual(20);
      }
    },
  );

  it('has no secrets for who may only read it, no matter who asked before', async () => {
    const read = async (actor: OrganizationContext) =>
      (await listMonitorsInParts(actor, { sort: 'name' })).items.map(writeMonitor).join();
    expect(await read(ctx)).toContain('t0ken');
    const text = await read(asReader());
    expect(text).toContain('[hidden]');
    for (const secret of ['t0ken', 'pa55word', 'PING', '/heartbeat/']) expect(text).not.toContain(secret);
  });
});

it('a list has what the rows of monitors, states, periods and checks say', async () => {
  const rows = await database.db.monitor.findMany({
    where: { organizationId: ctx.organizationId },
    include: { state: true, periods: { where: { to: null } } },
  });
  const silences = await readSilences(
    database.db,
    rows.map(({ id }) => id),
    ctx.clock.now(),
  );
  const { items } = await listMonitors(ctx);
  expect(items).toHaveLength(rows.length);
  const listed = new Map(items.map((item) => [item.id, item]));
  for (const {
    id,
    enabled,
    state,
    periods: [period],
  } of rows) {
    const silence = silences.get(id);
    expect(listed.get(id)).toMatchObject({
      status: state?.status,
      consecutiveFailures: state?.consecutiveFailures,
      maintenance: enabled && state?.statusBeforeMaintenance !== null,
      statusChangedAt: period?.from.toISOString() ?? null,
      noDataSince: silence?.noDataSince?.toISOString() ?? null,
      silentRegions: silence?.silentRegions,
      lastResponseTime: silence?.lastResponseTime,
    });
  }
});
