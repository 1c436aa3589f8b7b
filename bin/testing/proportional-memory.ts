import { readdirSync, readFileSync } from 'node:fs';

/**
 * What processes take together, in MB: memory that several of them share counts once. Reads `/proc`, so it runs on Linux, and needs the right to
 * look at processes of other users.
 */
export function proportionalMemory(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => Number(readOwn(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m) ?? 0));
  return kilobytes.reduce((sum, own) => sum + own, 0) / 1024;
}

/** A process and all its descendants. */
export function familyOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter(Number)
      .map((entry) => [Number(entry), parentOf(entry)]),
  );
  return [...parents.keys()].filter((candidate) => {
    let ancestor: number | undefined = candidate;
    while (ancestor !== undefined && ancestor !== pid) ancestor = parents.get(ancestor);
    return ancestor === pid;
  });
}

function parentOf(entry: string): number | undefined {
  const parent = readOwn(Number(entry), 'status', /^PPid:\s+(\d+)/m);
  return parent === undefined ? undefined : Number(parent);
}

/** Undefined for a process that has just ended. */
function readOwn(pid: number, file: string, pattern: RegExp): string | undefined {
  try {
    return pattern.exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1];
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code)))
      return undefined;
    throw error;
  }
}
