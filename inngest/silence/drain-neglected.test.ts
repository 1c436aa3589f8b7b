import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createTestEngine } from '@/lib/engine/testing/test-engine';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { startTarget } from '@/lib/testing/target';
import { createApps } from '../apps';
import { drainNeglected } from './drain-neglected';

const database = useTestDatabase();
const LOOK_MS = 20;

it('a worker that is not woken drains work overdue by 20 s itself, and nothing earlier', async () => {
  const services = createTestServices({ db: database.db });
  const { clock } = services;
  await ensureResultPartitions(database.db, clock.now());
  const [{ ctx }, target] = await Promise.all([createTestOrganization(services), startTarget()]);
  onTestFinished(target.close);
  const log = createLogger('silent', 'test');
  const engine = createTestEngine(services);
  const apps = createApps(engine, { regions: ['us-east'], shards: 2, duties: 'all' });
  const drains = apps.flatMap((app) => app.drains);
  const neglect = drainNeglected(drains, { clock, log, lookMs: LOOK_MS });
  onTestFinished(async () => {
    await engine.stop(1000);
    await neglect.stop();
  });

  const monitor = createMonitorSchema.parse({ name: 'Shop', url: target.url, regions: ['us-east'] });
  const { id } = await createMonitor(ctx, monitor);
  const overdueBy = (seconds: number) =>
    database.db.probeSchedule.updateMany({
      where: { monitorId: id },
      data: { nextCheckAt: new Date(clock.now().getTime() - seconds * 1000) },
    });
  await overdueBy(10);
  await new Promise((resolve) => setTimeout(resolve, 20 * LOOK_MS));
  expect(target.requestedAt).toEqual([]);
  await overdueBy(21);
  await expect.poll(() => target.requestedAt.length).toBe(1);
});
