/** A run whose start was reported with an ID, in epoch milliseconds. */
export type OpenRun = { rid: string; startedAt: number };

/** Per monitor: a job whose runs never end does not fill its row. */
export const MAX_OPEN_RUNS = 10;

/** The open runs once another one has begun, oldest first. One of the same ID begins again; beyond the limit, the oldest is dropped. */
export function addRun(runs: readonly OpenRun[], run: OpenRun): OpenRun[] {
  return [...runs.filter(({ rid }) => rid !== run.rid), run].slice(-MAX_OPEN_RUNS);
}

/** The open run that a call with an ID ends, and the remaining ones; null without an ID, or one that is unknown. */
export function takeRun(
  runs: readonly OpenRun[],
  rid: string | null,
): { run: OpenRun; rest: OpenRun[] } | null {
  const run = runs.find((each) => each.rid === rid);
  return run ? { run, rest: runs.filter((each) => each !== run) } : null;
}
