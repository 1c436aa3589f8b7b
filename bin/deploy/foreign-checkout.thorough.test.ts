import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginService } from '@/bin/supervisor/stopping/testing/starting-service';
import { childEnvironment } from '@/lib/env';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
const canRead = process.getuid?.() === 0 && spawnSync('ls', [root], { uid: NOBODY }).status === 0;

/** A directory of that user, which root made. */
let folder: string;
let dataDir: string;

beforeAll(() => {
  if (!canRead) return;
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'build.mjs')], {
    env: childEnvironment({}),
  });
  expect(status, 'this checkout is built').toBe(0);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pharos-foreign-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  chownSync(dataDir, NOBODY, NOBODY);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(!canRead)(
  'a checkout that root owns, run by another user (skipped unless root runs the tests)',
  () => {
    it('starts, with a database of that user', async () => {
      const service = await beginService(dataDir, { uid: NOBODY, env: { HOME: dataDir } });
      await service.reaches(/ready at/);
      process.kill(service.pid, 'SIGTERM');
      expect(await service.ended).toBe(0);
    });
  },
);
