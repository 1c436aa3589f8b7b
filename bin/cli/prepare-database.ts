import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeError, StartupError } from '@/lib/core/errors';
import { childEnvironment } from '@/lib/env';
import { bundlePath, rootPath } from './paths';

/** What `pharos prepare` sends to its parent: the line to print when all is ready, or why nothing can start. */
export type Preparation = { greeting: string } | { problem: string };

/** A migrated database under way: `greeting` resolves to the line that is printed when all is ready. */
export type DatabasePreparation = { greeting: Promise<string>; stop(): Promise<void> };

/** Runs `pharos prepare` to its end. `greeting` throws StartupError with its reason. */
export function prepareDatabase(environment: Record<string, string>): DatabasePreparation {
  const child = spawn(process.execPath, [bundlePath, 'prepare'], {
    env: childEnvironment({ ...environment, NODE_ENV: 'production' }),
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  });
  const exited = once(child, 'exit');
  let preparation: Preparation = { problem: 'the database could not be prepared; the lines above say why' };
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

/** Builds the web application if it is out of date; after the checks of a start, so that a wrong setting is told at once. */
export async function buildWebApplication(): Promise<void> {
  const program = join(rootPath, 'bin', 'build.mjs');
  // What `bin/pack.mjs` packed is built, and has nothing to build with.
  if (!existsSync(program)) return;
  const { buildWeb } = await import(pathToFileURL(program).href);
  await buildWeb().catch((error: unknown) => {
    throw new StartupError(describeError(error), { cause: error });
  });
}
