import { useRouter } from 'next/navigation';
import pMap from 'p-map';
import { useEffect, useRef, useState } from 'react';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { groupBy, inBatches } from '@/lib/core/groups';
import type { ImportPlan, ImportSource, MonitorBody } from '@/lib/importing/plan/plan';
import { dropHidden } from '@/lib/schemas/monitor/fields';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { BATCH_SIZE, type ImportedBatch, type ImportOutcome } from './outcome';

const CONCURRENT_TRIES = 4;
const NOT_COMPARED = 'The file was not compared with your monitors.';
const NOT_IMPORTED = 'The rest was not imported. Import again to continue.';

/** By the `ref` of the monitor, which is unique in a plan. */
export type Trials = ReadonlyMap<string, RouteResult<DryRun>>;
export type Outcomes = ReadonlyMap<string, ImportOutcome>;

type Running = { what: 'compare' | 'try' | 'import'; done: number; total: number };

/** The source of the file; null, which stands for the first source of the format, until somebody chooses one. */
export type ChosenSource = string | null;

type Found = [ref: string, outcome: ImportOutcome][];
type Sending = {
  request: { format: ImportSource; source: ChosenSource; dryRun: boolean };
  signal: AbortSignal;
  /** Takes the outcomes of a batch, and the name of the source. */
  onBatch: (found: Found, source: string) => void;
};

/** Sends monitors in batches. Returns what went wrong, which ends it; null if all were sent, or it was aborted. */
async function sendInBatches(
  monitors: readonly MonitorBody[],
  { request, signal, onBatch }: Sending,
): Promise<string | null> {
  // Those with the same name are distinguished together.
  const sent = [...groupBy(monitors, (monitor) => monitor.name).values()].flat();
  for (const batch of inBatches(sent, BATCH_SIZE, (monitor) => monitor)) {
    const body = { ...request, monitors: batch };
    const result = await callRoute<ImportedBatch>('/monitors/import/create', body, signal);
    if (signal.aborted) return null;
    if (!result.ok) return result.message;
    const { source, outcomes } = result.value;
    const found = batch.map(({ ref }, index) => [ref, outcomes[index]] as const);
    onBatch(
      found.flatMap(([ref, outcome]): Found => (outcome === undefined ? [] : [[ref, outcome]])),
      source,
    );
  }
  return null;
}

/** Checks each target once. What the file hides is left out. */
async function tryEach(
  monitors: readonly MonitorBody[],
  signal: AbortSignal,
  onTrial: (ref: string, trial: RouteResult<DryRun>) => void,
): Promise<void> {
  const tryOne = async (monitor: MonitorBody) => {
    if (signal.aborted) return;
    const options = { isOneOfMany: true };
    const result = await callRoute<DryRun>('/monitors/import/try', dropHidden(monitor), signal, options);
    if (!signal.aborted) onTrial(monitor.ref, result);
  };
  await pMap(monitors, tryOne, { concurrency: CONCURRENT_TRIES });
}

/** One piece of work at a time, with progress; it stops when the page is left. */
function useRunning() {
  const [running, setRunning] = useState<Running | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
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

  return { running, problem, setProblem, run, advance, stop: () => controller.current?.abort() };
}

/**
 * Compares the monitors of a plan with those of Pharos, tries targets, and imports, with progress. Each stops when the page is left, and can
 * be repeated.
 */
export function useImport(plan: ImportPlan) {
  const [trials, setTrials] = useState<Trials>(new Map());
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [preview, setPreview] = useState<Outcomes>(new Map());
  const [source, setSource] = useState<{ chosen: ChosenSource; name: string }>({ chosen: null, name: '' });
  const { running, problem, setProblem, run, advance, stop } = useRunning();
  const router = useRouter();

  const tryTargets = (monitors: readonly MonitorBody[]) => {
    setTrials(new Map());
    return run('try', monitors.length, (signal) =>
      tryEach(monitors, signal, (ref, trial) => {
        setTrials((before) => new Map(before).set(ref, trial));
        advance(1);
      }),
    );
  };

  const send = async (
    monitors: readonly MonitorBody[],
    options: { source: ChosenSource; dryRun: boolean },
    signal: AbortSignal,
  ) => {
    const collect = options.dryRun ? setPreview : setOutcomes;
    const failed = await sendInBatches(monitors, {
      request: { format: plan.source, ...options },
      signal,
      onBatch: (found, name) => {
        setSource({ chosen: options.source, name });
        collect((before) => new Map([...before, ...found]));
        advance(found.length);
      },
    });
    if (failed !== null) setProblem(`${failed} ${options.dryRun ? NOT_COMPARED : NOT_IMPORTED}`);
  };

  const compare = (monitors: readonly MonitorBody[], chosen: ChosenSource) => {
    setPreview(new Map());
    setOutcomes(new Map());
    return run('compare', monitors.length, (signal) =>
      send(monitors, { source: chosen, dryRun: true }, signal),
    );
  };

  const importMonitors = (monitors: readonly MonitorBody[]) => {
    setOutcomes(new Map());
    return run('import', monitors.length, async (signal) => {
      await send(monitors, { source: source.chosen, dryRun: false }, signal);
      // What exists now.
      router.refresh();
    });
  };

  return {
    trials,
    preview,
    outcomes,
    source,
    running,
    problem,
    compare,
    tryTargets,
    importMonitors,
    stop,
  };
}
