import { useRouter } from 'next/navigation';
import pMap from 'p-map';
import { useEffect, useRef, useState } from 'react';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { inBatches } from '@/lib/core/groups';
import type { MonitorBody } from '@/lib/importing/plan/plan';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { BATCH_SIZE, type ImportOutcome } from './outcome';

const CONCURRENT_TRIES = 4;

/** By the `ref` of the monitor, which is unique in a plan. */
export type Trials = ReadonlyMap<string, RouteResult<DryRun>>;
export type Outcomes = ReadonlyMap<string, ImportOutcome>;

type Running = { what: 'try' | 'import'; done: number; total: number };

/** Tries targets and imports monitors, with progress. Both stop when the page is left, and can be repeated. */
export function useImport() {
  const [trials, setTrials] = useState<Trials>(new Map());
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [running, setRunning] = useState<Running | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
  const router = useRouter();
  useEffect(() => () => controller.current?.abort(), []);

  const run = async (what: Running['what'], total: number, work: (signal: AbortSignal) => Promise<void>) => {
    const own = new AbortController();
    controller.current = own;
    setRunning({ what, done: 0, total });
    setProblem(null);
    await work(own.signal);
    setRunning(null);
  };
  const advance = (count: number) =>
    setRunning((before) => before && { ...before, done: before.done + count });

  const tryTargets = (monitors: readonly MonitorBody[]) => {
    setTrials(new Map());
    return run('try', monitors.length, async (signal) => {
      const tryOne = async (monitor: MonitorBody) => {
        if (signal.aborted) return;
        const result = await callRoute<DryRun>('/monitors/import/try', monitor, signal, {
          isOneOfMany: true,
        });
        if (signal.aborted) return;
        setTrials((before) => new Map(before).set(monitor.ref, result));
        advance(1);
      };
      await pMap(monitors, tryOne, { concurrency: CONCURRENT_TRIES });
    });
  };

  const importMonitors = (monitors: readonly MonitorBody[]) => {
    setOutcomes(new Map());
    return run('import', monitors.length, async (signal) => {
      for (const batch of inBatches(monitors, BATCH_SIZE, (monitor) => monitor)) {
        const body = { monitors: batch, upsert: true };
        const result = await callRoute<ImportOutcome[]>('/monitors/import/create', body, signal);
        if (signal.aborted) break;
        if (!result.ok) {
          setProblem(`${result.message} The rest was not imported. Import again to continue.`);
          break;
        }
        const found = batch.flatMap(({ ref }, index) => {
          const outcome = result.value[index];
          return outcome === undefined ? [] : [[ref, outcome] as const];
        });
        setOutcomes((before) => new Map([...before, ...found]));
        advance(batch.length);
      }
      // What exists now.
      router.refresh();
    });
  };

  return {
    trials,
    outcomes,
    running,
    problem,
    tryTargets,
    importMonitors,
    stop: () => controller.current?.abort(),
  };
}
