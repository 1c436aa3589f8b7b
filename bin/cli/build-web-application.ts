import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeError, StartupError } from '@/lib/core/errors';
import { rootPath } from './paths';

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
