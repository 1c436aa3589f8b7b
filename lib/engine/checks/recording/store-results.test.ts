import { beforeAll, describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { OK, START } from '@/lib/engine/testing/story';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { schedulePlace } from '@/lib/state/schedule-grid';
import { useTestDatabase } from '@/lib/testing/database';
import { storeResults } from './store-results';

const database = useTestDatabase();

const NAMED: ProbeResult = {
  ...OK,
  responseTime: 131,
  phases: { dns: 12, connect: 21, tls: null, firstByte: 96, transfer: 2 },
};
const SECURE: ProbeResult = {
  ...OK,
  responseTime: 184,
  phases: { dns: 12, connect: 21, tls: 43, firstByte: 106, transfer: 2 },
};
const TIMED_OUT: ProbeResult = {
  ...OK,
  outcome: 'failed',
  responseTime: null,
  statusCode: null,
  error: { code: 'timeout', message: 'no response within 30s' },
  phases: { dns: 12, connect: 21, tls: 43, firstByte: null, transfer: null },
};

type Place = { number: number; phase: number };

function finish(number: number, startedAt: Date, result: ProbeResult) {
  return { check: { monitor: { number, region: 'us-east' } }, startedAt, result };
}

/**
 * Of ten monitors, seven are https, two are plain http, one is an address without a name; one check in a
 * hundred fails.
 */
function resultOf(number: number, round: number): ProbeResult {
  if ((number + round) % 100 === 0) return TIMED_OUT;
  if (number % 10 < 7) return SECURE;
  return number % 10 < 9 ? NAMED : OK;
}

describe('storing raw results', () => {
  beforeAll(() => ensureResultPartitions(database.db, START));

  it('takes at most 120 bytes per check, including indexes', async () => {
    const monitors = 10_000;
    const places: Place[] = Array.from({ length: monitors }, (_, number) => ({
      number,
      phase: schedulePlace(`mon_${number}`, 'us-east').phase,
    })).sort((a, b) => a.phase - b.phase);
    for (let round = 0; round < 5; round++) {
      for (let from = 0; from < monitors; from += 500) {
        const finished = places
          .slice(from, from + 500)
          .map(({ number, phase }) =>
            finish(number, new Date(START.getTime() + round * 60_000 + phase * 6), resultOf(number, round)),
          );
        await storeResults(database.db, finished);
      }
    }
    const [size] = await database.db.$queryRaw<{ rows: number; heap: number; index: number }[]>`
      SELECT (SELECT count(*) FROM raw.check_result)::float8 AS rows,
             sum(pg_table_size(inhrelid))::float8 AS heap, sum(pg_indexes_size(inhrelid))::float8 AS index
        FROM pg_inherits
       WHERE inhparent = 'raw.check_result'::regclass AND pg_relation_size(inhrelid) > 0`;
    expect(size?.rows).toBe(50_000);
    expect(((size?.heap ?? 0) + (size?.index ?? 0)) / 50_000).toBeLessThanOrEqual(120);
  });

  it('caps a phase that exceeds its column, and keeps the response time', async () => {
    const slow = { ...OK, responseTime: 50_000, phases: { ...OK.phases, connect: 40, firstByte: 49_960 } };
    await storeResults(database.db, [finish(1_000_000, START, slow)]);
    const rows = await database.db.$queryRaw`
      SELECT response_time, connect, first_byte FROM raw.check_result WHERE monitor = 1000000`;
    expect(rows).toEqual([{ response_time: 50_000, connect: 40, first_byte: 32_767 }]);
  });
});
