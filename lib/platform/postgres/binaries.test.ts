import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { findBinaries, locateBinaries, provideBinaries } from './binaries';
import { chooseServerUser } from './server-user';
import { createPlayground, removePlayground } from './testing/data-dirs';

describe('PostgreSQL’s programs', () => {
  let playground: string;
  let stagingBase: string;
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);

  beforeEach(async () => {
    playground = await createPlayground();
    stagingBase = join(playground, 'staging');
    lines.length = 0;
  });

  afterEach(() => removePlayground(playground));

  /** A copy of the installed programs, as npm leaves it without install scripts. */
  async function installWithoutScripts(directory: string) {
    const { directory: source, version } = await findBinaries();
    await cp(source, directory, { recursive: true, verbatimSymlinks: true });
    const library = join(directory, 'lib');
    for (const entry of await readdir(library, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(library, entry.name));
    }
    await chmod(join(directory, 'bin', 'initdb'), 0o644);
    return locateBinaries(directory, version);
  }

  it('are completed if npm ran no install scripts', async () => {
    const installed = await installWithoutScripts(join(playground, 'native'));
    const runAs = await chooseServerUser(null);
    expect(await provideBinaries({ runAs, stagingBase, log, installed })).toEqual(installed);
    expect(await readdir(join(installed.directory, 'lib'))).toContain('libpq.so.5');
    expect(lines).toEqual([]);
  });

  it('that do not run are rejected with the reason and a way around it', async () => {
    const installed = locateBinaries(join(playground, 'native'), '18.0.0');
    await mkdir(join(installed.directory, 'bin'), { recursive: true });
    for (const program of [installed.initdb, installed.postgres]) {
      await writeFile(program, '#!/bin/sh\necho wrong machine\nexit 1\n', { mode: 0o755 });
    }
    const provided = provideBinaries({ runAs: null, stagingBase, log, installed });
    await expect(provided).rejects.toThrow(StartupError);
    await expect(provided).rejects.toThrow(/do not run on this machine \(wrong machine\): set DATABASE_URL/);
  });

  it.runIf(process.getuid?.() === 0)(
    'are copied once to where the server’s user can reach them, when root alone can reach the installed ones',
    async () => {
      await mkdir(join(playground, 'closed'), { mode: 0o700 });
      const installed = await installWithoutScripts(join(playground, 'closed', 'native'));
      const runAs = await chooseServerUser(null);
      // Left behind by a start that was killed while copying.
      await mkdir(join(stagingBase, `postgresql-${installed.version}.new-1`), { recursive: true });
      const [first, second] = await Promise.all([
        provideBinaries({ runAs, stagingBase, log, installed }),
        provideBinaries({ runAs, stagingBase, log, installed }),
      ]);
      expect(first.directory).toBe(join(stagingBase, `postgresql-${installed.version}`));
      expect(second).toEqual(first);
      expect((await readdir(stagingBase)).sort()).toEqual([
        `postgresql-${installed.version}`,
        'staging.lock',
      ]);
      expect(lines[0]).toContain(`run from ${first.directory}`);
    },
  );
});
