import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { copyMonitor, storeChecks } from '@/lib/domain/monitors/testing/history';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { type ResultsQuery, resultsQuerySchema } from '@/lib/schemas/monitor/result';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { listChecks, listResults, resultsQuery } from './read-results';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-03-10T18:00:00.000Z');

const database = useTestDatabase();
let mine: TestOrganization;

beforeAll(async () => {
  const services = createTestServices({ db: database.db, clock: createManualClock(NOW) });
  await ensureResultPartitions(database.db, NOW);
  mine = await createTestOrganization(services);
});

const addMonitor = () =>
  createMonitor(mine.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }));

/** Three regions every minute over two hours before `NOW`, so that many results share their time. */
async function addCheckedMonitor(): Promise<string> {
  const { id } = await addMonitor();
  const since = new Date(NOW.getTime() - 2 * HOUR + MINUTE);
  await storeChecks(database.db, [id], { since, now: NOW, everySeconds: 60, regions: 3 });
  return id;
}

const query = (fields: Record<string, string> = {}): ResultsQuery => resultsQuerySchema.parse(fields);

async function listAll(id: string, fields: Record<string, string>, between = async () => {}) {
  const seen = [];
  let cursor: ResultsQuery['cursor'];
  for (let pages = 0; pages < 100; pages++) {
    const page = await listResults(mine.ctx, id, { ...query(fields), ...(cursor ? { cursor } : {}) });
    seen.push(...page.items);
    if (page.next === null) return seen;
    cursor = page.next;
    await between();
  }
  throw new Error('the list has no end');
}

describe('the list of results', () => {
  it('returns a check with all its fields', async () => {
    const { id } = await addMonitor();
    await database.db.$executeRaw`
      INSERT INTO raw.check_result (checked_at, monitor, region, outcome, response_time, dns, connect, tls, first_byte,
                                    transfer, status_code, error_code, error)
      SELECT ${NOW}, number, 2, 1, 120, 1, 2, 3, 4, 5, 503, 'status', 'responded with 503, expected 200'
        FROM monitor WHERE id = ${id}`;
    expect(await listResults(mine.ctx, id, query())).toEqual({
      items: [
        {
          checkedAt: NOW.toISOString(),
          region: 'eu-west',
          outcome: 'failed',
          trigger: 'schedule',
          late: false,
          responseTime: 120,
          statusCode: 503,
          errorCode: 'status',
          errorMessage: 'responded with 503, expected 200',
          phases: { dns: 1, connect: 2, tls: 3, firstByte: 4, transfer: 5 },
        },
      ],
      next: null,
    });
  });

  it('returns each result once, newest first, in pages, while new ones arrive', async () => {
    const id = await addCheckedMonitor();
    const later = { now: new Date(NOW.getTime() + MINUTE), since: new Date(NOW.getTime() + MINUTE) };
    const all = await listAll(id, { limit: '7' }, () =>
      storeChecks(database.db, [id], { ...later, everySeconds: 60, regions: 3 }),
    );
    const places = all.map(({ checkedAt, region }) => `${checkedAt} ${region}`);
    expect(new Set(places).size).toBe(360);
    expect(places).toHaveLength(360);
    const times = all.map(({ checkedAt }) => checkedAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('is filtered by region and outcome', async () => {
    const id = await addCheckedMonitor();
    await database.db.$executeRaw`
      UPDATE raw.check_result SET outcome = 1
       WHERE region = 3 AND checked_at >= ${new Date(NOW.getTime() - 9 * MINUTE)}
         AND monitor = (SELECT number FROM monitor WHERE id = ${id})`;
    expect(await listAll(id, { limit: '100', region: 'eu-west' })).toHaveLength(120);
    expect(await listAll(id, { limit: '3', outcome: 'failed' })).toHaveLength(10);
    expect(await listAll(id, { outcome: 'failed', region: 'us-east' })).toHaveLength(0);
    expect(await listAll(id, { limit: '100', outcome: 'ok', region: 'ap-southeast' })).toHaveLength(110);
    expect(await listAll(id, { outcome: 'unknown' })).toHaveLength(0);
  });

  it('throws NOT_FOUND for unknown monitors and those of other organizations', async () => {
    const id = await addCheckedMonitor();
    const other = await createTestOrganization(createTestServices(database));
    await expect(listResults(other.ctx, id, query())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(listResults(mine.ctx, 'mon_unknown', query())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of a page names the evidence of each check that left some', async () => {
    const id = await addCheckedMonitor();
    const foreign = await addCheckedMonitor();
    const evidence = { region: 2, kind: 'failure', contentSealed: new Uint8Array() } as const;
    await database.db.checkEvidence.createMany({
      data: [
        { ...evidence, id: 'evd_1', monitorId: id, checkedAt: NOW },
        { ...evidence, id: 'evd_2', monitorId: foreign, checkedAt: new Date(NOW.getTime() - MINUTE) },
      ],
    });
    await database.db.manualCheck.create({
      data: {
        id: 'chk_1',
        region: 'eu-west',
        monitorId: id,
        requestedAt: NOW,
        expiresAt: NOW,
        checkedAt: NOW,
        finishedAt: NOW,
        outcome: 0,
        findings: {},
      },
    });
    const { items, next } = await listChecks(mine.ctx, id, { limit: 7 });
    expect(items.filter(({ evidenceId }) => evidenceId !== null)).toMatchObject([
      { evidenceId: 'evd_1', result: { region: 'eu-west', trigger: 'schedule' } },
    ]);
    const listed = await listResults(mine.ctx, id, { limit: 7 });
    expect({ items: items.map(({ result }) => result), next }).toEqual(listed);
  });

  it('reads at most a page from the index, however much is stored', async () => {
    const id = await addCheckedMonitor();
    const others = await copyMonitor(database.db, id, 30);
    const since = new Date(NOW.getTime() - 36 * HOUR);
    await storeChecks(database.db, [id, ...others], { since, now: NOW, everySeconds: 120, regions: 3 });
    await database.db.$executeRawUnsafe('VACUUM ANALYZE raw.check_result');
    const cursor = { at: new Date(NOW.getTime() - 20 * HOUR), tie: 2 };
    for (const fields of [{}, { cursor }, { region: 'eu-west' }, { outcome: 'failed' }] as const) {
      const { steps, pages } = await explain(
        database.db,
        resultsQuery(mine.ctx, id, { limit: 50, ...fields }),
      );
      // Partitions of days without results have no pages and may be read in any way.
      const read = steps.filter(({ relation }) => /_202603(09|10)$/.test(relation ?? ''));
      expect(read.length).toBeGreaterThan(0);
      for (const { type } of read) expect(type).toBe('Index Scan');
      expect(pages).toBeLessThan(100);
    }
  });
});
