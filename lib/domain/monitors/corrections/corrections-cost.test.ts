import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { readCurrentMonitors } from '@/lib/domain/monitors/lists/current-monitors';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { readPageRow } from '@/lib/domain/status-pages/page-row';
import { readBadge } from '@/lib/domain/status-pages/public/badge';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { Prisma } from '@/lib/platform/db/generated/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createCorrection } from './change-corrections';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useSharedDatabase();
const services = () => createTestServices({ db: database.db, clock: createManualClock(NOW) });
let mine: TestOrganization;
beforeAll(async () => {
  mine = await createTestOrganization(services());
});

/** A monitor that was down for an hour, three hours ago. */
async function addMonitor(): Promise<string> {
  const input = { name: 'Shop', url: 'http://shop.test', enabled: false };
  const { id } = await createMonitor(mine.ctx, createMonitorSchema.parse(input));
  await writePeriods(database.db, id, [
    { state: 'operational', from: ago(80 * DAY) },
    { state: 'down', from: ago(3 * HOUR) },
    { state: 'operational', from: ago(2 * HOUR) },
  ]);
  return id;
}

/** Has the outage count as maintenance. */
const correct = (id: string) =>
  createCorrection(mine.ctx, id, {
    from: ago(3 * HOUR),
    to: ago(2 * HOUR),
    state: 'maintenance',
    reason: 'The probe was wrong',
  });

describe('the costs of corrections', () => {
  it('are no statement for monitors without corrections, and for who shows no figures', async () => {
    const [plain, other] = [await addMonitor(), await addMonitor()];
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const read = (ids: string[], since: Date | null = ago(30 * DAY)) =>
      counting.count(() =>
        readCurrentMonitors(
          counting.db,
          { columns: { name: Prisma.sql`monitor.name` }, where: Prisma.sql`monitor.id = ANY(${ids})` },
          NOW,
          since ?? undefined,
        ),
      );
    await read([plain, other]);
    expect(await read([plain, other])).toBe(1);
    await correct(other);
    await read([plain, other]);
    expect(await read([plain, other])).toBe(2);
    expect(await read([plain])).toBe(1);
    expect(await read([plain, other], null), 'who shows no figures').toBe(1);
  });

  it('are one statement for badges that show uptime, and none for others', async () => {
    const id = await addMonitor();
    const { slug } = await addPage(mine.ctx, { published: true, monitors: [id] });
    const page = await readPageRow(database.db, Prisma.sql`slug = ${slug}`);
    const counting = openCountingDatabase(database.url);
    onTestFinished(() => counting.db.$disconnect());
    const read = (show: 'status' | 'uptime', monitor?: string) =>
      readBadge({ ...services(), db: counting.db }, page, { show, monitor });
    const count = async () => {
      const counts = [];
      for (const act of [() => read('status'), () => read('status', id), () => read('uptime', id)]) {
        counts.push(await counting.count(act));
      }
      return counts;
    };
    await count();
    const [ofPage = 0, ofMonitor = 0, ofUptime = 0] = await count();
    await correct(id);
    await count();
    expect(await count()).toEqual([ofPage, ofMonitor, ofUptime + 1]);
    expect((await read('uptime', id)).figure).toMatchObject({ uptimePercentage: 100 });
  });
});
