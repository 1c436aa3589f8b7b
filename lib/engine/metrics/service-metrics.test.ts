import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory, FAILED } from '@/lib/engine/testing/story';
import { createDatabase } from '@/lib/platform/db/client';
import { MIGRATION_NAMES } from '@/lib/platform/db/testing/old-databases';
import { UNNUMBERED_MIGRATIONS } from '@/lib/platform/db/unnumbered-migrations';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { registerServiceMetrics } from './service-metrics';

const database = useTestDatabase();
const SINCE = new Date('2026-03-01T12:00:00Z');
const health = {
  read: async () => ({
    status: 'degraded' as const,
    parts: [
      { name: 'database', status: 'ok' as const, since: SINCE, message: '' },
      { name: 'mail', status: 'degraded' as const, since: SINCE, message: '' },
    ],
  }),
};

/** What Prometheus would read now. */
async function readLines(
  source: Omit<Parameters<typeof registerServiceMetrics>[1], 'health' | 'migrations'>,
) {
  const registry = new Registry();
  // Of a version that lacks the migrations of the database, and has one that is not applied yet.
  const migrations = ['29991231000000_later'];
  await registerServiceMetrics(registry, { ...source, health, migrations })();
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** One monitor that is down with an incident and its deliveries, and a paused one. */
async function begin() {
  const story = await beginStory(database.db);
  const { ctx } = story;
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const monitor = await story.addMonitor({ alertThreshold: 1, name: 'Shop "EU"' });
  const paused = { name: 'Old', url: 'http://old.test/', enabled: false };
  await createMonitor(ctx, createMonitorSchema.parse(paused));
  await story.check(FAILED);
  return { ...story, monitor };
}

it('what the service is like is counted, and each monitor if that is wanted', async () => {
  const { services, monitor, organizationId } = await begin();
  // As in an installation that began before the first release.
  await database.db.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', ${UNNUMBERED_MIGRATIONS[0]}, now())`;
  const lines = await readLines({ services, hasMonitors: true });
  expect(lines).toEqual(
    expect.arrayContaining([
      'pharos_monitors{status="down"} 1',
      'pharos_monitors{status="paused"} 1',
      'pharos_incidents_open 1',
      'pharos_deliveries_pending{state="new"} 2',
      'pharos_deliveries_pending{state="retrying"} 0',
      'pharos_endpoints{state="enabled"} 1',
      'pharos_mails_pending 0',
      'pharos_migrations{state="pending"} 1',
      `pharos_migrations{state="applied"} ${MIGRATION_NAMES.length}`,
      `pharos_migrations{state="unknown"} ${MIGRATION_NAMES.length}`,
      'pharos_database_up 1',
      'pharos_health{part="database"} 0',
      'pharos_health{part="mail"} 1',
    ]),
  );
  const labels = `id="${monitor.id}",name="Shop \\"EU\\"",organization="${organizationId}"`;
  expect(lines).toContain(`pharos_monitor_up{${labels}} 0`);
  expect(lines.filter((line) => line.startsWith('pharos_monitor_up'))).toHaveLength(1);
});

it('the names of monitors are shown only where METRICS_MONITORS is set', async () => {
  const { services } = await begin();
  const lines = await readLines({ services, hasMonitors: false });
  expect(lines.join()).not.toContain('Shop');
});

it('a backlog is counted to a limit', async () => {
  const { services } = await begin();
  const lines = await readLines({ services, hasMonitors: false, maxCounted: 1 });
  const pending = lines.filter((line) => line.startsWith('pharos_deliveries_pending'));
  expect(pending.toSorted()).toEqual([
    'pharos_deliveries_pending{state="new"} 1',
    'pharos_deliveries_pending{state="retrying"} 0',
  ]);
});

it('while the database is unavailable, health remains', async () => {
  const { services } = await begin();
  const away = createDatabase('postgresql://nobody@127.0.0.1:1/none', { poolSize: 1, name: 'none' });
  const lines = await readLines({ services: { ...services, db: away }, hasMonitors: true });
  expect(lines).toEqual(expect.arrayContaining(['pharos_database_up 0', 'pharos_health{part="mail"} 1']));
  expect(lines.some((line) => line.startsWith('pharos_monitors'))).toBe(false);
  await away.$disconnect();
});
