import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createEndpointSlots, type Recipient, type SlotLimits } from './endpoint-slots';

const LIMITS: SlotLimits = {
  total: 600,
  reserved: 100,
  perOrganization: 150,
  perEndpoint: { least: 5, most: 60 },
};
const recipient = (endpointId: string, organizationId = 'org_1'): Recipient => ({
  endpointId,
  organizationId,
});

function begin(limits: Partial<SlotLimits> = {}) {
  const freed: string[] = [];
  const slots = createEndpointSlots(
    { ...LIMITS, ...limits },
    { onFree: ({ endpointId }) => freed.push(endpointId) },
  );
  const ends: (() => void)[] = [];
  return {
    slots,
    freed,
    /** Starts `count` attempts that hang until `end`. */
    hang: (to: Recipient, count: number) => {
      for (let n = 0; n < count; n++) slots.run(to, () => new Promise<void>((resolve) => ends.push(resolve)));
    },
    end: async (count: number) => {
      for (const resolve of ends.splice(0, count)) resolve();
      await turn();
    },
  };
}

describe('the slots of an endpoint', () => {
  it.each([
    [0, 5],
    [25, 5],
    [50, 10],
    [299, 59],
    [1000, 60],
    [Number.POSITIVE_INFINITY, 60],
  ])('grow with pending deliveries: for %d there are %d', (pending, places) => {
    expect(begin().slots.available(recipient('whk_1'), pending)).toBe(places);
  });

  it('count running attempts, and are freed when one ends', async () => {
    const { slots, freed, hang, end } = begin();
    const [one, two] = [recipient('whk_1'), recipient('whk_2')];
    hang(one, 5);
    hang(two, 1);
    expect([slots.free(), slots.available(one, 0), slots.available(two, 0)]).toEqual([594, 0, 4]);
    await end(1);
    expect(freed).toEqual(['whk_1']);
    expect([slots.free(), slots.available(one, 0), slots.available(two, 0)]).toEqual([595, 1, 4]);
    await end(5);
    await slots.idle();
    expect([slots.free(), slots.available(one, 0), slots.available(two, 0)]).toEqual([600, 5, 5]);
  });

  it('are at most 150 for all endpoints of one organization', () => {
    const { slots, hang } = begin();
    for (const id of ['whk_1', 'whk_2']) hang(recipient(id), 60);
    expect(slots.available(recipient('whk_3'), 1000)).toBe(30);
    hang(recipient('whk_3'), 30);
    expect(slots.available(recipient('whk_4'), 1000)).toBe(0);
    expect(slots.available(recipient('whk_5', 'org_2'), 1000), 'of another organization').toBe(60);
  });

  it('are reserved, a hundred of them, for endpoints with nothing running, five each', () => {
    const { slots, hang } = begin({ perOrganization: 600 });
    for (let n = 0; n < 10; n++) hang(recipient(`whk_${n}`), 50);
    expect(slots.available(recipient('whk_0'), 1000)).toBe(0);
    expect(slots.available(recipient('whk_new'), 1000)).toBe(5);
    hang(recipient('whk_new'), 5);
    expect(slots.available(recipient('whk_new'), 1000)).toBe(0);
    expect(slots.available(recipient('whk_newer'), 1000)).toBe(5);
  });

  it('count as taken if a claim is about to fill them', () => {
    const { slots } = begin({ perOrganization: 8 });
    const plan = slots.plan();
    plan.take(recipient('whk_1'), 5);
    expect([plan.available(recipient('whk_1'), 0), plan.available(recipient('whk_2'), 0)]).toEqual([0, 3]);
    expect(slots.available(recipient('whk_1'), 0), 'another claim starts afresh').toBe(5);
  });

  it('are freed with the response, and the total slot once it is recorded', async () => {
    const { slots, freed } = begin({ total: 1, reserved: 0, perEndpoint: { least: 1, most: 1 } });
    let record = () => {};
    const one = recipient('whk_1');
    slots.run(one, async (responded) => {
      await turn();
      responded();
      await new Promise<void>((resolve) => {
        record = resolve;
      });
    });
    expect(slots.free()).toBe(0);
    await turn();
    await turn();
    expect([slots.free(), slots.available(one, 0), freed.length]).toEqual([0, 0, 1]);
    record();
    await slots.idle();
    expect([slots.free(), slots.available(one, 0), freed.length]).toEqual([1, 1, 2]);
  });
});
