import type { ImportPlan } from '@/lib/importing/plan/plan';
import type { ReadRequest, ReadResponse } from './reader/worker';

type Outcome = { plan: ImportPlan } | { problem: string };

/** The largest files take seconds. */
const PATIENCE_MS = 60_000;
const FAILED = 'The file cannot be read by this browser. Use "pharos import" on the command line.';
const TOO_SLOW = 'Reading the file takes longer than a minute. Split it and import the parts.';

/** Reads a file in a worker, which ends when it is done, takes too long, or `signal` is aborted. Never rejects. */
export function readInWorker(request: ReadRequest, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const worker = new Worker('/import-reader/worker.js', { type: 'module' });
    const finish = (outcome: Outcome) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish({ problem: TOO_SLOW }), PATIENCE_MS);
    signal.addEventListener('abort', () => finish({ problem: 'Canceled.' }), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<ReadResponse>) =>
      finish('plan' in data ? data : { problem: data.problem ?? FAILED }),
    );
    worker.addEventListener('error', () => finish({ problem: FAILED }));
    worker.postMessage(request, [request.file]);
  });
}
