import type { Inngest, InngestFunction } from 'inngest';
import { expect, onTestFinished, vi } from 'vitest';
import { waitFor } from '@/lib/testing/wait-for';
import type { DriverLog } from '../client';
import { createEmbeddedDriver, type EmbeddedDriver } from '../driver';
import { createManualTime } from './manual-timers';

/** Where each test's clock starts: half a minute past ten. */
export const START = new Date('2026-11-20T10:00:30.000Z');

/** Only limits tests that would fail anyway; generous for busy machines. */
export const POLL = { interval: 5 };

type Build = (client: Inngest) => InngestFunction.Any | InngestFunction.Any[];

/** Starts a driver with manual time and a log, which is stopped after the test. */
export function startDriver(build: Build) {
  const time = createManualTime(START);
  const log = { warn: vi.fn<DriverLog['warn']>(), error: vi.fn<DriverLog['error']>() };
  const driver = createEmbeddedDriver({
    id: 'test',
    buildFunctions: (client) => [build(client)].flat(),
    log,
    clock: time.clock,
    setTimer: time.setTimer,
  });
  onTestFinished(() => driver.stop({ graceMs: 0 }));
  return { time, log, driver };
}

/** Resolves when no run is in progress. */
export async function quiet({ counters }: EmbeddedDriver): Promise<void> {
  await waitFor(() => expect(counters).toMatchObject({ running: 0 }), POLL);
}

/** A gate to wait at until the test opens it. */
export function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
