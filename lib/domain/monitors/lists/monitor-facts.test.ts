import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prisma } from '@/lib/platform/db/generated/client';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { addMonitors } from '../testing/add-monitors';
import { readCurrentMonitors } from './current-monitors';
import { createMemory } from './monitor-facts';

const database = useSharedDatabase();

/** What others may change at any time, as SQL of the monitor $1. */
const CHANGES = {
  status: Prisma.sql`UPDATE monitor_state SET status = 'down' WHERE monitor_id =`,
  recovery: Prisma.sql`UPDATE monitor_state SET status = 'operational', consecutive_failures = consecutive_failures + 1 WHERE monitor_id =`,
  maintenance: Prisma.sql`UPDATE monitor_state SET status_before_maintenance = 'operational' WHERE monitor_id =`,
  check: Prisma.sql`UPDATE monitor_state SET last_checked_at = coalesce(last_checked_at, now()) + interval '1 second' WHERE monitor_id =`,
  pause: Prisma.sql`UPDATE monitor SET enabled = NOT enabled WHERE id =`,
  interval: Prisma.sql`UPDATE monitor SET interval = 330 - interval WHERE id =`,
  period: Prisma.sql`UPDATE status_period SET from_at = from_at - interval '1 second' WHERE to_at IS NULL AND monitor_id =`,
  end: Prisma.sql`DELETE FROM status_period WHERE monitor_id =`,
  nothing: Prisma.sql`SELECT`,
};

async function begin(names: string[]) {
  const { ctx, organizationId } = await createTestOrganization(createTestServices(database));
  const ids = await addMonitors(
    ctx,
    names.map((name) => ({ name })),
  );
  const where = Prisma.sql`monitor.organization_id = ${organizationId}`;
  const read = (db = database.db) =>
    readCurrentMonitors(db, { columns: {}, where, order: Prisma.sql`monitor.id` }, ctx.clock.now());
  /** Their rows, read one by one. */
  const readRows = () =>
    database.db.monitor.findMany({
      where: { organizationId },
      include: { state: true, periods: { where: { to: null } } },
      orderBy: { id: 'asc' },
    });
  return { ctx, ids, read, readRows };
}

describe('what is remembered of monitors', () => {
  it('is never older than the latest commit, whatever is changed, one by one or in one transaction', async () => {
    const { ids, read, readRows } = await begin(['a', 'b', 'c']);
    const change = fc.record({
      id: fc.constantFrom(...ids),
      name: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
    });
    const transactions = fc.array(
      fc.record({ changes: fc.array(change, { maxLength: 3 }), isKept: fc.boolean() }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(transactions, async (all) => {
        for (const { changes, isKept } of all) {
          await database.db
            .$transaction(async (tx) => {
              for (const { id, name } of changes) {
                if (name !== 'nothing') await tx.$executeRaw`${CHANGES[name]} ${id}`;
                // As a verb reads what it has just changed.
                await readCurrentMonitors(
                  tx,
                  { columns: {}, where: Prisma.sql`monitor.id = ${id}` },
                  new Date(),
                );
              }
              if (!isKept) throw new Error('rolled back');
            })
            .catch((error: Error) => expect(error.message).toBe('rolled back'));
          const rows = await readRows();
          expect((await read()).map(({ facts }) => facts)).toMatchObject(
            rows.map(({ enabled, interval, regions, state, periods: [period] }) => ({
              enabled,
              intervalMs: interval * 1000,
              regions,
              status: state?.status,
              consecutiveFailures: state?.consecutiveFailures,
              isInMaintenance: enabled && state?.statusBeforeMaintenance !== null,
              period: period ? { from: period.from.getTime(), state: period.state } : null,
              decided: state?.lastCheckedAt ? { at: state.lastCheckedAt.getTime() } : null,
            })),
          );
        }
      }),
      { numRuns: 10 },
    );
  });

  it('takes one statement less while nothing changes', async () => {
    const { ids, read } = await begin(['a', 'b', 'c']);
    const counting = openCountingDatabase(database.url);
    const count = () => counting.count(() => read(counting.db));
    try {
      await read();
      const unchanged = await count();
      expect(counting.seen('json_build_object')).toBe(0);
      await database.db.monitorState.update({ where: { monitorId: ids[0] ?? '' }, data: { status: 'down' } });
      expect(await count()).toBe(unchanged + 1);
      expect(await count()).toBe(unchanged);
    } finally {
      await counting.db.$disconnect();
    }
  });

  it('is bounded: the least recently used are forgotten first', async () => {
    const { read } = await begin(['a']);
    const facts = (await read())[0]?.facts;
    if (!facts) throw new Error('no monitor was read');
    const memory = createMemory(10);
    for (let index = 0; index < 1000; index += 1) memory.set(`mon_${index}`, { version: '1', facts });
    expect(memory.size).toBe(10);
    expect([memory.has('mon_999'), memory.has('mon_989')]).toEqual([true, false]);
  });
});
