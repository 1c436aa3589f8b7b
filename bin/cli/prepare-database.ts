import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeError, StartupError } from '@/lib/core/errors';
import { spawnCommand } from '../supervisor/spawn-command';
import { ONLY_BUILD } from '../web/builds/web-builds';
import { bundlePath, rootPath } from './paths';

/** What `pharos prepare` sends to its parent: the line to print when everything is ready, or why the start fails. */
export type Preparation = { greeting: string } | { problem: string };

/** A database being prepared: `greeting` resolves to the line to print when everything is ready. */
export type DatabasePreparation = { greeting: Promise<string>; stop(): Promise<void> };

/**
 * Runs `pharos prepare`, which backs up the database to `backups` before it migrates it; null: not. `greeting` rejects with a
 * StartupError that explains the problem.
 */
export function prepareDatabase(
  environment: Record<string, string>,
  { backups }: { backups: string | null },
): DatabasePreparation {
  const options = backups === null ? [] : ['--backups', backups];
  const child = spawnCommand([bundlePath, 'prepare', ...options], environment);
  const exited = once(child, 'close');
  let preparation: Preparation = { problem: 'the database could not be prepared; see the lines above' };
  child.on('message', (message) => {
    preparation = message as Preparation;
  });
  return {
    greeting: exited.then(() => {
      if ('problem' in preparation) throw new StartupError(preparation.problem);
      return preparation.greeting;
    }),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/**
 * Builds the web application if it is out of date, and returns the name of the build's directory; for `development`, builds only what Next
 * does not build itself. Call it after checking settings, so that errors appear early.
 */
export async function buildWebApplication(development: boolean): Promise<string> {
  const program = join(rootPath, 'bin', 'build.mjs');
  // A packed installation (bin/pack.mjs) is already built and has no compiler.
  if (!existsSync(program)) return ONLY_BUILD;
  const { buildImportReader, buildWeb } = await import(pathToFileURL(program).href);
  try {
    if (!development) return await buildWeb({ inChild: true });
    await buildImportReader({ inChild: true });
    return ONLY_BUILD;
  } catch (error) {
    throw new StartupError(describeError(error), { cause: error });
  }
}
