import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import { acquireSharedFileLock } from '@/lib/core/file-lock';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { listPreviousAssets, type PreviousAssets } from './previous-assets';
import { retireWebBuilds } from './retire-web-builds';
import { lockPath, ONLY_BUILD } from './web-builds';

/**
 * Keeps the build `name` from being removed until this process ends, retires those that nothing runs any more, and finds the assets of
 * previous builds.
 */
export async function openWebBuild(
  { root, name }: { root: string; name: string },
  { clock, log }: { clock: Clock; log: Logger },
): Promise<PreviousAssets> {
  if (name === ONLY_BUILD) return new Map();
  if (acquireSharedFileLock(lockPath(join(root, name))) === null) {
    throw new StartupError('The build of the web application is being replaced. Start again in a moment.');
  }
  const now = clock.now();
  // Without access, the next build of the owner retires them.
  const isOwn = await access(root, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isOwn) {
    await retireWebBuilds({ root, current: name, now }).catch((err: unknown) =>
      log.warn({ err }, 'earlier builds of the web application could not be removed'),
    );
  }
  return listPreviousAssets({ root, current: name, now });
}
