import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { claimDueDeliveries, nextDeliveryAt } from './claim-deliveries';
import { createEndpointSlots } from './endpoint-slots';
import { beginDeliveryStory, START } from './testing/delivery-story';

const NOBODY = { url: 'http://127.0.0.1:9', requests: [] };

describe('claiming deliveries', () => {
  const database = useTestDatabase();

  it('gives an endpoint no more tries at once than its share, those under way included', async () => {
    const story = await beginDeliveryStory(database.db, NOBODY);
    for (let event = 0; event < 8; event++) await story.emit();
    const { services } = story.engine;
    const claim = (tries: number) => {
      const running = [{ endpointId: story.endpoint.id, tries }];
      return claimDueDeliveries(services, { limit: 50, perEndpoint: 5, running, workerId: 'wrk_test' });
    };
    expect(await claim(2)).toHaveLength(3);
    expect(await claim(5)).toHaveLength(0);
    expect(await claim(0)).toHaveLength(5);
    expect(await claim(0)).toHaveLength(0);
    expect(await nextDeliveryAt(services)).toBeNull();
    story.clock.advance(40_001);
    expect(await nextDeliveryAt(services)).toEqual(START);
  });

  it('lets two workers claim at the same time without claiming anything twice', async () => {
    const story = await beginDeliveryStory(database.db, NOBODY);
    for (let event = 0; event < 12; event++) await story.emit();
    const options = { limit: 50, perEndpoint: 100, running: [] };
    const claims = await Promise.all(
      ['wrk_a', 'wrk_b', 'wrk_c'].map((workerId) =>
        claimDueDeliveries(story.engine.services, { ...options, workerId }),
      ),
    );
    const rest = await claimDueDeliveries(story.engine.services, { ...options, workerId: 'wrk_a' });
    const ids = [...claims.flat(), ...rest].map(({ id }) => id);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
  });
});

describe('endpoint slots', () => {
  it('count what runs, and tell when a busy endpoint is free', async () => {
    let freed = 0;
    const slots = createEndpointSlots({
      total: 4,
      perEndpoint: 2,
      onFree: () => {
        freed++;
      },
    });
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    slots.run('whk_1', work);
    slots.run('whk_1', work);
    slots.run('whk_2', work);
    expect(slots.free()).toBe(1);
    expect(slots.running()).toEqual([
      { endpointId: 'whk_1', tries: 2 },
      { endpointId: 'whk_2', tries: 1 },
    ]);
    ends[0]?.();
    await turn();
    expect(freed).toBe(1);
    expect(slots.running()).toContainEqual({ endpointId: 'whk_1', tries: 1 });
    expect(slots.free()).toBe(2);
    for (const end of ends) end();
    await slots.idle();
    expect(slots.running()).toEqual([]);
  });

  it('give the endpoint’s place away with the answer, and their own when it is recorded', async () => {
    const freed: string[] = [];
    const slots = createEndpointSlots({ total: 1, perEndpoint: 1, onFree: () => freed.push('free') });
    let record = () => {};
    slots.run('whk_1', async (answered) => {
      await turn();
      answered();
      await new Promise<void>((resolve) => {
        record = resolve;
      });
    });
    expect([slots.running(), slots.free()]).toEqual([[{ endpointId: 'whk_1', tries: 1 }], 0]);
    await turn();
    await turn();
    expect([slots.running(), slots.free(), freed.length]).toEqual([[], 0, 1]);
    record();
    await slots.idle();
    expect([slots.free(), freed.length]).toEqual([1, 2]);
  });
});
