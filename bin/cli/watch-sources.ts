import { watch } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '@/lib/core/logger';
import type { Supervised } from '../supervisor/supervise';
import { rootPath } from './paths';

/** What the bundle is built from, and the processes that run other code after a change of it; Next reloads its own part. */
const READERS = new Map([
  ['bin', ['worker', 'web']],
  ['inngest', ['worker']],
  ['lib', ['worker']],
  ['prisma', ['worker', 'web']],
]);
/** An editor writes several files for one save. */
const QUIET_MS = 150;

/** For `npm run dev`: builds the bundle again after a change of its sources, and restarts the processes that it concerns. */
export function watchSources(children: Pick<Supervised, 'restart'>, log: Logger): () => Promise<void> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();
  const rebuild = async () => {
    const verbs = new Set([...changed].flatMap((folder) => READERS.get(folder) ?? []));
    changed.clear();
    try {
      const { buildCommands } = await import(pathToFileURL(join(rootPath, 'bin', 'build.mjs')).href);
      if (!(await buildCommands())) return;
      log.info({ processes: [...verbs] }, 'sources changed: restarting');
      for (const verb of verbs) children.restart(verb);
    } catch (err) {
      log.error({ err }, 'what was edited could not be built; the processes run the code of before');
    }
  };
  const watchers = [...READERS.keys()].map((folder) =>
    watch(join(rootPath, folder), { recursive: true }, () => {
      changed.add(folder);
      clearTimeout(timer);
      timer = setTimeout(() => {
        building = building.then(rebuild);
      }, QUIET_MS);
    }),
  );
  return async () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    await building;
  };
}
