import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { expectToEnd } from './testing/expect-to-end';
import { signalTree } from './testing/process-tree';

// The other stages, and SIGTERM to the first process only, are in early-signal.thorough.test.ts.
it('a start that is stopped while its database is migrated leaves nothing running, PostgreSQL neither, and exits with 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-early-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  // As root, the database runs as another user, who needs access.
  await chmod(folder, 0o755);
  const setting = { dataDir: join(folder, 'data') };
  await expectToEnd(setting, /pharos\.mjs prepare/, (pid) => signalTree(pid, 'SIGTERM'));
});
