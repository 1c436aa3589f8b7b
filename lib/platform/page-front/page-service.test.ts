import { expect, it } from 'vitest';
import { createDomainList, type Domain } from './page-service';

const acme: Domain = { domain: 'status.acme.test', id: 'sp_1', slug: 'acme' };

function setUp() {
  const readings: { resolve(domains: Domain[]): void; reject(error: Error): void }[] = [];
  const errors: unknown[] = [];
  const list = createDomainList(
    () => new Promise((resolve, reject) => readings.push({ resolve, reject })),
    (error) => errors.push(error),
  );
  /** Completes the current read. */
  const finish = async (outcome: Domain[] | Error) => {
    await Promise.resolve();
    const reading = readings.at(-1);
    if (outcome instanceof Error) reading?.reject(outcome);
    else reading?.resolve(outcome);
  };
  return { list, readings, errors, finish };
}

it('knows the domains after the first read', async () => {
  const { list, finish } = setUp();
  expect(list.find(acme.domain)).toBeNull();
  const refreshed = list.refresh();
  await finish([acme]);
  await refreshed;
  expect(list.find(acme.domain)).toEqual({ id: 'sp_1', slug: 'acme' });
  expect(list.find('status.other.test')).toBeNull();
});

it('reads again for calls during a read, once for all of them', async () => {
  const { list, readings, finish } = setUp();
  const first = list.refresh();
  await Promise.resolve();
  const late = [list.refresh(), list.refresh(), list.refresh()];
  expect(readings).toHaveLength(1);
  await finish([acme]);
  await first;
  await expect.poll(() => readings.length).toBe(2);
  await finish([]);
  await Promise.all(late);
  expect(list.find(acme.domain)).toBeNull();
  expect(readings).toHaveLength(2);
});

it('keeps the old list if reading fails, and reports it', async () => {
  const { list, errors, finish } = setUp();
  const first = list.refresh();
  await finish([acme]);
  await first;
  const second = list.refresh();
  await finish(new Error('gone'));
  await second;
  expect(list.find(acme.domain)).not.toBeNull();
  expect(errors).toEqual([new Error('gone')]);
});
