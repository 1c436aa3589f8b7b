import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copySources } from '@/bin/supervisor/stopping/testing/copy-sources';
import { childEnvironment } from '@/lib/env';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
const canRead = process.getuid?.() === 0 && spawnSync('ls', [root], { uid: NOBODY }).status === 0;

/** A directory of that user, which root made. */
let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pharos-foreign-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  chownSync(dataDir, NOBODY, NOBODY);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command in a checkout as a user who may not write there. */
function run(directory: string, ...words: string[]) {
  const program = join(directory, 'bin', 'pharos.mjs');
  const env = childEnvironment({ HOME: dataDir, DATA_DIR: dataDir });
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: directory,
    env,
    encoding: 'utf8',
    uid: NOBODY,
    gid: NOBODY,
  });
  return { status, stderr };
}

describe.skipIf(!canRead)(
  'a checkout that root owns, run by another user (skipped unless root runs the tests)',
  () => {
    it('that is not built names the command that builds it, in one sentence', async () => {
      const directory = await copySources(folder);
      const refusal = `Pharos is not built, and this user cannot write to ${directory}: run "npm run build" as its owner first.\n`;
      expect(run(directory, 'start')).toEqual({ status: 1, stderr: refusal });
      // The commands are, and the web application is not.
      cpSync(join(root, 'dist'), join(directory, 'dist'), { recursive: true });
      expect(run(directory, 'start')).toEqual({ status: 1, stderr: refusal });
    });

    it('with settings that this user cannot read names their file', async () => {
      const directory = await copySources(folder);
      writeFileSync(join(directory, '.env'), 'PORT=4000', { mode: 0o600 });
      const stderr = `This user cannot read the settings in ${join(directory, '.env')}: change its owner or mode.\n`;
      expect(run(directory, 'start')).toEqual({ status: 1, stderr });
    });
  },
);
