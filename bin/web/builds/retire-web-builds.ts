import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { acquireFileLock } from '@/lib/core/file-lock';
import { ASSETS_STAY_MS, listOtherBuilds, lockPath, readRetirement, retiredPath } from './web-builds';

/** Of more upgrades than this in a day, the assets of the oldest are removed: 3 MB each. */
const MAX_RETIRED = 10;

/** Locked, and the time. */
const KEPT = ['static', basename(lockPath('')), basename(retiredPath(''))];

/**
 * Reduces builds that nothing runs to their assets, and removes those after a day. Builds that a process runs, and `current`, stay as
 * they are.
 */
export async function retireWebBuilds({ root, current, now }: { root: string; current: string; now: Date }) {
  const retired: { directory: string; since: Date }[] = [];
  for (const directory of await listOtherBuilds(root, current)) {
    const lock = acquireFileLock(lockPath(directory));
    if (lock === null) continue;
    try {
      retired.push({ directory, since: await retire(directory, now) });
    } finally {
      lock.release();
    }
  }
  retired.sort((a, b) => b.since.getTime() - a.since.getTime());
  for (const [place, { directory, since }] of retired.entries()) {
    const isOver = now.getTime() - since.getTime() >= ASSETS_STAY_MS;
    if (isOver || place >= MAX_RETIRED) await rm(directory, { recursive: true, force: true });
  }
}

/** Since when nothing runs this build: now, unless it was retired before. Idempotent, also after an interruption. */
async function retire(directory: string, now: Date): Promise<Date> {
  // First, so that no process takes what is left for a build.
  await rm(join(directory, 'BUILD_ID'), { force: true });
  const since = await readRetirement(directory);
  if (since === null) await writeFile(retiredPath(directory), now.toISOString());
  for (const name of await readdir(directory)) {
    if (!KEPT.includes(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
  return since ?? now;
}
