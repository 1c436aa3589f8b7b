const BEAT_MS = 1000;

/**
 * Tells the supervisor, if there is one, that this process does its work now, and from then on every second that it is alive:
 * a process that is stopped, or whose event loop is blocked, says nothing.
 */
export function announceReady(): void {
  process.send?.('ready');
  const timer = setInterval(() => {
    // The supervisor may be gone: then this process is about to end.
    if (process.connected) process.send?.('beat', undefined, {}, () => undefined);
  }, BEAT_MS);
  timer.unref();
}

/**
 * Calls `stop` once, at SIGTERM, at SIGINT or when the supervisor is gone, and ends the process after it. Under a
 * supervisor SIGINT is left to it: a terminal sends Ctrl-C to the whole group, and the order of stopping matters.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const begin = () => {
    if (stopping) return;
    stopping = true;
    stop()
      .catch((error: unknown) => {
        process.stderr.write(`stopping failed: ${error instanceof Error ? error.stack : String(error)}\n`);
        process.exitCode = 1;
      })
      .finally(() => process.exit());
  };
  const isSupervised = process.send !== undefined;
  process.on('SIGTERM', begin);
  process.on('SIGINT', isSupervised ? () => undefined : begin);
  if (isSupervised) process.on('disconnect', begin);
}
