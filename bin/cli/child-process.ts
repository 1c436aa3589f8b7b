import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const BEAT_MS = 1000;
const QUIET_WINDOW_MS = 15_000;
/** Maximum share of time that a quiet process is busy. */
const QUIET_UTILIZATION = 0.05;

/**
 * Collects what starting has left behind, which takes about 0.1 s. V8 would keep it, and let the heap grow from there. For
 * processes that run for long.
 */
export function collectStartGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  // Contexts that are created later, such as those of templates, have no business with it.
  setFlagsFromString('--no-expose-gc');
}

/**
 * The same once, after the first quarter of a minute in which this process had little to do. With the small heap that is left, what comes next costs more
 * for a while: the first 240 status pages of a busy web process took a third to a half more CPU (`npm run bench:pages`).
 */
export function collectStartGarbageOnceQuiet(): void {
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > QUIET_UTILIZATION) return;
    clearInterval(timer);
    collectStartGarbage();
  }, QUIET_WINDOW_MS);
  timer.unref();
}

/** Reports to the supervisor, if any, that this process is ready, and then every second that it is not stuck. */
export function announceReady(collect = collectStartGarbage): void {
  collect();
  process.send?.('ready');
  const timer = setInterval(() => {
    // Without a supervisor, this process is about to end.
    if (process.connected) process.send?.('beat', undefined, {}, () => undefined);
  }, BEAT_MS);
  timer.unref();
}

/**
 * Calls `stop` once, on SIGTERM, SIGINT or loss of the supervisor, and then ends the process. With a supervisor, SIGINT is
 * ignored: a terminal sends Ctrl-C to the whole process group, and the supervisor stops processes in order.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const begin = () => {
    if (stopping) return;
    stopping = true;
    stop()
      .catch((error: unknown) => {
        process.stderr.write(`shutdown failed: ${error instanceof Error ? error.stack : String(error)}\n`);
        process.exitCode = 1;
      })
      .finally(() => process.exit());
  };
  const isSupervised = process.send !== undefined;
  process.on('SIGTERM', begin);
  process.on('SIGINT', isSupervised ? () => undefined : begin);
  if (isSupervised) process.on('disconnect', begin);
}

/**
 * For a command that has started something which must not outlive it: runs `stop` at SIGTERM and SIGINT, then ends the process by that
 * signal. Returns a function after which the signals end the process at once, as they usually do.
 */
export function stopBeforeSignalEnds(stop: () => Promise<void>): () => void {
  const handlers = (['SIGTERM', 'SIGINT'] as const).map((signal) => {
    const handler = () => {
      void stop()
        .catch(() => undefined)
        .finally(() => process.kill(process.pid, signal));
    };
    process.once(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
