import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { createTarget } from '@/lib/checks/testing/target';
import { createLogger } from '@/lib/core/logger';
import { OutageWatch } from '@/lib/engine/checks/outage-watch';
import { CUT, type SimulatedProof, simulateNetwork } from '@/lib/engine/testing/simulated-network';
import { OK } from '@/lib/engine/testing/story';
import type { NetworkProof } from '@/lib/state/watcher-outage';
import {
  allowedDelay,
  CANARIES,
  type Canary,
  type Cell,
  FLAPPING_S,
  hasProof,
  isDown,
  listCells,
  MONITORS,
  NEIGHBORS,
  OUTAGES,
  type Outage,
  THRESHOLDS,
} from './cells';
import { findAlert, type Results, runInstallation } from './installation';

const SECOND = 1000;
/** When the network is cut, or targets fail: late enough for a canary to be retired long ago. */
const cutAtOf = ({ canary }: Cell) => (canary === 'explicit, retired long ago' ? 700 : 130) * SECOND;
const TIMEOUT_MS = 10 * SECOND;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const LOOKUP: NetworkProof = { id: 'lookup', way: 'routed', isConfigured: false };
const GATEWAY: NetworkProof = { id: 'gateway', way: 'on-link lan', isConfigured: false };
const CANARY: NetworkProof = { id: '192.0.2.1', way: 'routed', isConfigured: true };

/** The proofs of a cell, by when each responds while the network works. */
function proofsOf(canary: Canary, elapsed: () => number): [NetworkProof, () => boolean][] {
  const [always, never] = [() => true, () => false];
  const { responds, silent } = FLAPPING_S;
  const flaps = () => (elapsed() / SECOND) % (responds + silent) < responds;
  const proofs: Record<Canary, [NetworkProof, () => boolean][]> = {
    default: [
      [LOOKUP, always],
      [GATEWAY, always],
    ],
    'default, resolver with a cache': [
      [LOOKUP, always],
      [GATEWAY, always],
    ],
    explicit: [
      [CANARY, always],
      [GATEWAY, always],
    ],
    'explicit, retired long ago': [
      [CANARY, () => elapsed() < 30 * SECOND],
      [GATEWAY, always],
    ],
    flapping: [
      [CANARY, flaps],
      [GATEWAY, always],
    ],
    'ICMP blocked': [
      [LOOKUP, always],
      [GATEWAY, never],
    ],
    'none that ever worked': [
      [CANARY, never],
      [GATEWAY, never],
    ],
  };
  return proofs[canary];
}

/** Runs a cell for longer than three intervals after its cut or outage, with and without the watch. */
async function run(cell: Cell, scenario: Outage | 'network cut', isWatched: boolean): Promise<Results[]> {
  const begunAt = performance.now();
  const elapsed = () => performance.now() - begunAt;
  const cutAt = cutAtOf(cell);
  const endsAt = cutAt + (3.5 * cell.intervalS + allowedDelay(cell, 3)) * SECOND;
  const isCut = () => scenario === 'network cut' && elapsed() >= cutAt && elapsed() < endsAt;
  const proofs = proofsOf(cell.canary, elapsed).map(
    ([proof, responds]): SimulatedProof => ({ ...proof, responds: () => responds() && !isCut() }),
  );
  const log = createLogger('silent', 'test');
  const clock = { now: () => new Date() };
  const watch = new OutageWatch({
    clock,
    log,
    ...simulateNetwork(proofs),
    onCutOff: () => undefined,
  });
  watch.start();
  const routed = Array.from({ length: cell.monitors }, (_, index) => `http://198.51.100.${index + 1}`);
  const urls = cell.neighbors === 'none' ? routed : [...routed, 'http://10.1.0.9'];
  const stopping = new AbortController();
  const results = runInstallation(
    {
      targets: urls.map((url) => createTarget('http', url)),
      intervalMs: cell.intervalS * SECOND,
      confirms: cell.confirms,
      watch: isWatched ? watch : null,
      check: async (_target, index): Promise<ProbeResult> => {
        const isNeighbor = index === cell.monitors;
        const isSilent = isNeighbor
          ? cell.neighbors === 'cut' && isCut()
          : isCut() ||
            (elapsed() >= cutAt && scenario !== 'network cut' && isDown(scenario, index, cell.monitors));
        // A link that is down is noticed at once.
        const ms = isCut() ? 1 : isSilent ? TIMEOUT_MS : 20;
        await new Promise((resolve) => setTimeout(resolve, ms));
        return isSilent ? CUT : OK;
      },
    },
    { signal: stopping.signal, now: elapsed },
  );
  await vi.advanceTimersByTimeAsync(endsAt + 30 * SECOND);
  stopping.abort();
  watch.stop();
  vi.clearAllTimers();
  return results;
}

/** A part of the matrix of `npm run test:network-cut`, in which each number but the largest, and all else with each kind of proof, occurs. */
const cellsOf = (canary: Canary): Cell[] =>
  listCells({ intervals: [60], monitors: MONITORS.slice(0, -1) }).filter((cell) => {
    const turn = MONITORS.findIndex((count) => cell.monitors <= count);
    const neighbors = NEIGHBORS[turn % NEIGHBORS.length];
    return cell.canary === canary && cell.neighbors === neighbors && cell.confirms === (turn % 2 === 1);
  });

const describeCell = ({ monitors, neighbors }: Cell) => `${monitors} monitors, neighbors: ${neighbors}`;

it.each(CANARIES)('of a cut network nobody is alerted if a proof worked before: %s', async (canary) => {
  for (const cell of cellsOf(canary)) {
    const results = await run(cell, 'network cut', true);
    for (const [index, each] of results.entries())
      if (hasProof(cell, index === cell.monitors))
        expect(findAlert(each, 1, cutAtOf(cell)), `target ${index} of ${describeCell(cell)}`).toBeNull();
  }
});

it.each(CANARIES)(
  'an outage of targets alerts in its usual time, or as late as a failure is held: %s',
  async (canary) => {
    for (const [place, cell] of cellsOf(canary).entries()) {
      const scenario = OUTAGES[place % OUTAGES.length] ?? 'single';
      if (scenario === 'all but one' && !hasProof(cell)) continue;
      const [plain, watched] = [await run(cell, scenario, false), await run(cell, scenario, true)];
      for (const threshold of THRESHOLDS)
        for (const [index, results] of watched.entries()) {
          const usual = findAlert(plain[index] ?? [], threshold, cutAtOf(cell));
          const alert = findAlert(results, threshold, cutAtOf(cell));
          const what = `${scenario}, threshold ${threshold}, target ${index} of ${describeCell(cell)}`;
          if (usual === null) expect(alert, what).toBeNull();
          else
            expect((alert ?? Number.POSITIVE_INFINITY) - usual, what).toBeLessThanOrEqual(
              allowedDelay(cell, threshold) * SECOND,
            );
        }
    }
  },
);
