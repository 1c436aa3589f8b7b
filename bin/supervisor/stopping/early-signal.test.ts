import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { expectToEnd } from './testing/expect-to-end';
import { signalTree } from './testing/process-tree';

// The other stages, and SIGTERM to the first process only, are in early-signal.thorough.test.ts.
it('a start that is stopped while its database is migrated leaves nothing running, PostgreSQL neither, and exits with 0', async () => {
  const folder = await createOpenFolder('pharos-early-');
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const setting = { dataDir: join(folder, 'data') };
  await expectToEnd(setting, /pharos\.mjs prepare/, (pid) => signalTree(pid, 'SIGTERM'));
});
