import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from './claim-deliveries';
import { createDeliveryQueue } from './delivery-queue';
import type { SlotPlan } from './endpoint-slots';
import type { Candidate } from './find-deliveries';
import { createPrefetchedClaims } from './prefetched-claims';

const candidate = (endpointId: string, name: string | number, kind: Partial<Candidate> = {}): Candidate => ({
  id: `${endpointId}/${name}`,
  endpointId,
  organizationId: 'org_1',
  manual: false,
  isRetry: false,
  ...kind,
});
const candidates = (endpointId: string, count: number): Candidate[] =>
  Array.from({ length: count }, (_, index) => candidate(endpointId, index));
const endpoints = (list: { endpointId: string }[]) => list.map(({ endpointId }) => endpointId);
const ids = (list: { id: string }[]) => list.map(({ id }) => id);
/** Slots for `each` attempts of every endpoint. */
function places(each: number): SlotPlan {
  const taken = new Map<string, number>();
  const count = (endpointId: string) => taken.get(endpointId) ?? 0;
  return {
    available: ({ endpointId }) => each - count(endpointId),
    take: ({ endpointId }, more) => taken.set(endpointId, count(endpointId) + more),
  };
}

describe('a queue of found deliveries', () => {
  it('gives each endpoint as many as it has slots, in order, manual attempts first', () => {
    const queue = createDeliveryQueue({ depth: 10, low: 2 });
    const requested = candidate('a', 'manual', { manual: true });
    queue.fill([requested, ...candidates('a', 3), ...candidates('b', 1)], { isCut: false });
    expect(ids(queue.take(9, places(2)))).toEqual(['a/manual', 'a/0', 'b/0']);
    expect(ids(queue.take(9, places(0)))).toEqual([]);
    expect(ids(queue.take(9, places(5)))).toEqual(['a/1', 'a/2']);
    expect(queue.take(9, places(5))).toEqual([]);
  });

  it('rotates the endpoints when slots are scarce in total', () => {
    const queue = createDeliveryQueue({ depth: 10, low: 2 });
    queue.fill([...candidates('a', 4), ...candidates('b', 4)], { isCut: false });
    expect(ids(queue.take(2, places(2)))).toEqual(['a/0', 'a/1']);
    expect(ids(queue.take(2, places(2)))).toEqual(['b/0', 'b/1']);
    expect(ids(queue.take(2, places(2)))).toEqual(['a/2', 'a/3']);
  });

  it('reports which endpoints run low while more are pending, and which a search can skip', () => {
    const queue = createDeliveryQueue({ depth: 4, low: 1 });
    queue.fill([...candidates('a', 4), ...candidates('b', 2)], { isCut: false });
    expect([queue.stocked().first, queue.low()]).toEqual([['a', 'b'], []]);
    queue.take(9, places(3));
    expect([queue.stocked().first, endpoints(queue.low())], 'of b everything was found').toEqual([[], ['a']]);
    queue.fill(candidates('a', 4), { only: ['a'], isCut: false });
    expect([queue.stocked().first, queue.low()]).toEqual([['a'], []]);
    queue.fill(candidates('c', 1), { isCut: true });
    expect(endpoints(queue.low()), 'a search that was cut off').toEqual(['c']);
  });

  it('returns first attempts before retries, regardless of the number of retries', () => {
    const queue = createDeliveryQueue({ depth: 4, low: 1 });
    const retries = Array.from({ length: 4 }, (_, index) =>
      candidate('a', `retry ${index}`, { isRetry: true }),
    );
    queue.fill(retries, { isCut: false });
    expect(queue.stocked(), 'a search still finds first attempts').toEqual({ first: [], retries: ['a'] });
    queue.fill(candidates('a', 1), { isCut: false });
    expect(ids(queue.take(2, places(2)))).toEqual(['a/0', 'a/retry 0']);
  });

  it('knows how many deliveries are pending, or that it is unknown', () => {
    const queue = createDeliveryQueue({ depth: 4, low: 1 });
    queue.fill([...candidates('a', 3), ...candidates('b', 4)], { isCut: false });
    expect(['a', 'b', 'c'].map(queue.pending)).toEqual([3, Number.POSITIVE_INFINITY, 0]);
  });

  it('continues elsewhere next to another worker, and loses nothing', () => {
    const queue = createDeliveryQueue({ depth: 50, low: 1 });
    queue.fill(candidates('a', 50), { isCut: false });
    queue.scatter('a');
    expect(ids(queue.take(50, places(50))).toSorted()).toEqual(ids(candidates('a', 50)).toSorted());
  });
});

describe('attempts that are claimed ahead', () => {
  const tried = (id: string, url = 'http://old.test/') =>
    ({ id, endpointId: 'whk_1', endpoint: { url, enabled: true } }) as ClaimedDelivery;

  function begin() {
    let now = 0;
    const prefetched = createPrefetchedClaims(() => now);
    /** Lets the endpoint respond this often within a tenth of a second. */
    const respond = (times: number) => {
      for (let n = 0; n < times; n++) prefetched.noteResponse('whk_1');
      now += 100;
    };
    return {
      prefetched,
      respond,
      wait: (ms: number) => {
        now += ms;
      },
    };
  }

  it('are as many as the endpoint responds to during two claims, and at most fifty', () => {
    const { prefetched, respond } = begin();
    expect(prefetched.claimable('whk_1', 5, 10)).toBe(5);
    respond(100);
    expect(prefetched.claimable('whk_1', 0, 10), 'one a millisecond').toBe(20);
    respond(1000);
    expect(prefetched.claimable('whk_1', 0, 10)).toBe(50);
  });

  it('are none for an endpoint that does not respond', () => {
    const { prefetched, respond } = begin();
    respond(100);
    expect(prefetched.claimable('whk_1', 0, 10)).toBe(20);
    respond(0);
    expect(prefetched.claimable('whk_1', 0, 10)).toBe(0);
  });

  it('are refilled when half of them have started', () => {
    const { prefetched, respond } = begin();
    respond(100);
    prefetched.add(Array.from({ length: 20 }, (_, index) => tried(`del_${index}`)));
    expect(prefetched.claimable('whk_1', 0, 10)).toBe(0);
    for (let n = 0; n < 10; n++) prefetched.next('whk_1');
    expect(prefetched.claimable('whk_1', 0, 10)).toBe(10);
  });

  it('use the latest state of the endpoint, which may have been disabled or changed meanwhile', () => {
    const { prefetched } = begin();
    prefetched.add([tried('del_1'), tried('del_2', 'http://new.test/')]);
    expect(prefetched.next('whk_1')).toMatchObject({ id: 'del_1', endpoint: { url: 'http://new.test/' } });
    expect(prefetched.size()).toBe(1);
  });

  it('are released when they have waited too long', () => {
    const { prefetched, wait } = begin();
    prefetched.add([tried('del_1')]);
    wait(900);
    prefetched.add([tried('del_2')]);
    wait(100);
    expect(ids(prefetched.takeOlder(1000))).toEqual(['del_1']);
    expect(ids(prefetched.takeOlder(0))).toEqual(['del_2']);
    expect(prefetched.next('whk_1')).toBeNull();
  });
});
