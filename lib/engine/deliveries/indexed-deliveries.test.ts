import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginDeliveryStory, incidentCreated } from '@/lib/engine/testing/delivery-story';
import { analyzeGrown } from '@/lib/engine/upkeep/analyze-grown';
import { emitEvents } from '@/lib/notify/emit-events';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { CUSTOM_PLANS, countReads, reportCounters, useOneConnection } from '@/lib/testing/row-reads';

const database = useTestDatabase();
const connection = useOneConnection(database);
/** Four times as many as are few, and more. */
const FORMER = 2100;
const DELIVERIES = 50;
const MAX_READS = 30;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Copies of a delivery that ended, with its event and attempt, as a flood leaves them. */
async function copyDelivered(count: number): Promise<void> {
  const copy = (table: string, keys: string) =>
    connection.db.$executeRawUnsafe(`
      INSERT INTO ${table}
      SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(ended) || jsonb_build_object(${keys}))).*
        FROM (SELECT * FROM ${table} LIMIT 1) AS ended, generate_series(1, ${count}) AS n`);
  await copy('outbox_event', `'id', n, 'number', 1000 + n`);
  await copy('delivery', `'id', n, 'number', 1000 + n, 'event_id', n`);
  await copy('delivery_attempt', `'id', n, 'delivery_id', n`);
}

it('deliveries read no whole table or index once a flood was analyzed, although they began in an installation without events', async () => {
  const story = await beginDeliveryStory(connection.db, receiver);
  await connection.db.$executeRaw`VACUUM (ANALYZE)`;
  for (let round = 0; round <= CUSTOM_PLANS; round++) {
    await story.emit();
    await story.send();
  }
  const { organizationId, clock, ctx, requests } = story;
  const emit = (count: number) => {
    const event = { organizationId, occurredAt: clock.now(), payload: incidentCreated(clock.now()) };
    return connection.db.$transaction((tx) => emitEvents(tx, ctx, Array(count).fill(event)));
  };
  await copyDelivered(FORMER);
  await reportCounters(connection.db);
  expect((await analyzeGrown(ctx)).toSorted()).toEqual([
    'public.delivery',
    'public.delivery_attempt',
    'public.outbox_event',
  ]);
  await emit(DELIVERIES);
  const read = await countReads(connection.db, { units: DELIVERIES, atMost: MAX_READS }, () => story.send());
  expect(requests()).toHaveLength(CUSTOM_PLANS + 1 + DELIVERIES);
  expect(read).toEqual({});
});
