import { chmod, mkdir } from 'node:fs/promises';
import { StartupError } from '@/lib/core/errors';
import { canEnter } from './reachability';
import type { RunAs } from './run-program';

/**
 * Makes the directory that holds what root stages for the server's user. Throws StartupError when that user cannot reach
 * it either.
 */
export async function createStagingBase(stagingBase: string, runAs: RunAs): Promise<void> {
  await mkdir(stagingBase, { recursive: true });
  await chmod(stagingBase, 0o755);
  if (await canEnter(stagingBase, runAs)) return;
  throw new StartupError(
    `the user of PostgreSQL cannot reach ${stagingBase}: chmod a+x the directories above it`,
  );
}
