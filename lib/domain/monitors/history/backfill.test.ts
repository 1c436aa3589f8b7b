import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { migrate } from '@/lib/platform/db/migrate';
import { fillTables, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import { connectTo, createOldDatabases, MIGRATIONS } from '@/lib/platform/db/testing/old-databases';
import { dayBars } from './day-bars';
import { readLedgers } from './periods';
import { barsOf, readDays } from './read-days';
import { readUptimesWithin, uptimeWithin } from './uptime';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

/** The first has two changes at one moment; the second changes between changes of the first. */
const HISTORIES: Record<string, { state: PeriodState; from: Date }[]> = {
  monitor_1: [
    { state: 'pending', from: ago(70 * DAY) },
    { state: 'operational', from: ago(70 * DAY - 30_001) },
    { state: 'down', from: ago(40 * DAY) },
    { state: 'degraded', from: ago(9 * DAY) },
    { state: 'paused', from: ago(9 * DAY) },
    { state: 'down', from: ago(3 * DAY - HOUR) },
    { state: 'operational', from: ago(2 * DAY) },
  ],
  monitor_2: [
    { state: 'operational', from: ago(5 * DAY) },
    { state: 'down', from: ago(HOUR) },
  ],
};

it('an upgrade sums up the ledgers that it finds', async () => {
  const databases = await createOldDatabases();
  onTestFinished(() => databases.drop());
  const url = await databases.asOf('20261127000000_leased_shards');
  const client = await connectTo(url);
  await fillTables(client, await readKnownTables(client), [1, 2]);
  await client.query('DELETE FROM status_period');
  for (const [id, periods] of Object.entries(HISTORIES)) {
    for (const [place, { state, from }] of periods.entries()) {
      await client.query(
        'INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at) VALUES ($1, $2, $3, $4, $3)',
        [id, state, from, periods[place + 1]?.from ?? null],
      );
    }
  }
  await migrate({ url, directory: MIGRATIONS });

  const db = createDatabase(url, { poolSize: 1, name: 'pharos tests' });
  onTestFinished(() => db.$disconnect());
  const ids = Object.keys(HISTORIES);
  const reading = { now: NOW, silences: new Map() };
  const ledgers = await readLedgers(db, Prisma.sql`SELECT unnest(${ids}::text[])`, {
    since: ago(100 * DAY),
    ...reading,
  });
  const spans = [100, 50, 39, 9, 2.5, 0.01].map((days) => ({ since: ago(days * DAY), until: NOW }));
  const uptimes = await readUptimesWithin(db, ids, spans, reading);
  const days = await readDays(db, ids, { until: NOW });
  for (const id of ids) {
    const ledger = ledgers.get(id)?.measured ?? [];
    expect(ledger).toHaveLength(HISTORIES[id]?.length ?? 0);
    expect(uptimes.get(id)).toEqual(spans.map(({ since, until }) => uptimeWithin(ledger, since, until)));
    const own = days.get(id);
    expect(own && barsOf(own, null)).toEqual(dayBars(ledger, NOW));
  }
});
