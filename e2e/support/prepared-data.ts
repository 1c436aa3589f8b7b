import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@/bin/testing/patience.mjs';
import { isRunDirectory } from '@/bin/testing/run-directory.mjs';
import { waitForFileLock } from '@/lib/core/file-lock';
import { runPharos } from './run-pharos';

const run = promisify(execFile);

/**
 * Creates `dataDir` for a new service: a copy of one that a run migrates once, which takes a third of the processor's time of creating a
 * database. Empty where nothing would remove that one at the end (a run without a directory of its own).
 */
export async function createDataDir(dataDir: string): Promise<void> {
  const directory = tmpdir();
  if (!isRunDirectory(directory)) {
    await mkdir(dataDir);
    return;
  }
  // Databases of root have another owner, which Node's own copying loses.
  await run('cp', ['-pR', await prepare(directory), dataDir]);
}

/** The migrated DATA_DIR of this run: the first process that needs it creates it, others wait. */
async function prepare(directory: string): Promise<string> {
  const prepared = join(directory, 'prepared-data');
  if (existsSync(prepared)) return prepared;
  const lock = await waitForFileLock(`${prepared}.lock`, { patienceMs: patience(60_000) });
  try {
    if (existsSync(prepared)) return prepared;
    const folder = await mkdtemp(join(directory, 'preparing-'));
    await chmod(folder, 0o755);
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    const { code, stderr } = await runPharos(['migrate'], { DATA_DIR: dataDir });
    if (code !== 0) throw new Error(`pharos migrate failed: ${stderr}`);
    await rename(dataDir, prepared);
    return prepared;
  } finally {
    lock.release();
  }
}
