/**
 * Does `work` while a worker polls for dry runs, and waits for its last poll: a claim that is still on its way would take the dry run of the
 * next test, and run it with other settings.
 */
export async function withDryRunWorker<Result>(
  poll: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  const polls: Promise<void>[] = [];
  const timer = setInterval(() => void polls.push(poll()), 20);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await Promise.all(polls);
  }
}
