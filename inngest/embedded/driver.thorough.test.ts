import { expect, it } from 'vitest';
import { createGate, quiet, startDriver } from './testing/harness';

it('the driver drops runs beyond a thousand concurrent ones, and logs it', async () => {
  const door = createGate();
  const { log, driver } = startDriver((client) =>
    client.createFunction({ id: 'one', retries: 0, triggers: { event: 'app/a' } }, () => door.opened),
  );
  await driver.client.send(Array.from({ length: 1002 }, () => ({ name: 'app/a', data: {} })));
  expect(driver.counters.running).toBe(1000);
  expect(log.error.mock.calls).toEqual(
    Array(2).fill([{ functionId: 'one' }, 'dropped a run: 1000 are in progress']),
  );
  door.open();
  await quiet(driver);
  expect(driver.counters.runsCompleted).toBe(1000);
});
