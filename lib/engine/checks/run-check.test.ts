import { expect, it } from 'vitest';
import { createUnknown } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { strictEnvironment } from '@/lib/checks/testing/target';
import { createManualClock } from '@/lib/core/time/clock';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { keepLog } from '@/lib/testing/kept-log';
import type { FinishedCheck } from './recording/store-results';
import { runCheck } from './run-check';

const START = new Date('2026-03-01T12:00:00.000Z');
const INTERVAL_MS = 30_000;

/** What is recorded of a check whose worker has its network again `ms` after it began, and then repeats it. */
async function repeatAfter(ms: number) {
  const clock = createManualClock(START);
  const scheduled = createScheduled({ id: 'mon_1', intervalMs: INTERVAL_MS, dueAt: START.getTime() });
  const monitor = { ...scheduled, nextAt: START.getTime() + INTERVAL_MS };
  const recorded: FinishedCheck[] = [];
  const recorder = {
    add: async (finished: FinishedCheck) => {
      recorded.push(finished);
      return true;
    },
    flushed: async () => undefined,
    stop: () => undefined,
    pending: () => 0,
    oldestPendingMs: () => null,
  };
  const outageWatch = {
    judge: async ({ repeat }: { repeat(): Promise<ProbeResult> }) => {
      clock.advance(ms);
      return repeat();
    },
  };
  const { log } = keepLog();
  const sealEvidence = async () => expect.fail('no evidence was asked for');
  await runCheck(
    { clock, recorder, outageWatch, log, sealEvidence, probeEnvironment: strictEnvironment },
    { monitor, lease: { shard: 0, epoch: 1 }, dueAt: START },
    { signal: new AbortController().signal, onBack: () => undefined },
  );
  const [{ startedAt, result } = { startedAt: null, result: createUnknown('unavailable', '') }] = recorded;
  return { startedMs: (startedAt?.getTime() ?? 0) - START.getTime(), message: result.error?.message };
}

it('a check that is repeated in its slot began when it was repeated', async () => {
  const { startedMs, message } = await repeatAfter(INTERVAL_MS - 1);
  expect(startedMs).toBe(INTERVAL_MS - 1);
  expect(message).not.toMatch(/next check/);
});

it('a check is not repeated once the next one is due: no slot has two results', async () => {
  expect(await repeatAfter(INTERVAL_MS)).toEqual({
    startedMs: 0,
    message: 'the network returned when the next check was due',
  });
});
