import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startService } from '@/e2e/support/start-service';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { familyOf, proportionalMemory } from './testing/proportional-memory';
import { TOOLS } from './testing/tools';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Launcher, web, worker and PostgreSQL, proportionally. An installation with monitors: bench:memory. */
const MAX_MEMORY_MB = 400;

it('packs less than 400 MB that start, print one address, serve and set up with nothing else, in less than 400 MB of memory', async () => {
  const folder = await createOpenFolder('pharos-packed-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run(process.execPath, [join(root, 'bin', 'pack.mjs'), folder]);
  expect(Number(/, (\d+) MB$/m.exec(stdout)?.[1])).toBeLessThan(400);
  expect(TOOLS.filter((name) => existsSync(join(folder, 'node_modules', name)))).toEqual([]);
  expect(await readdir(join(folder, 'bin'))).toEqual(['is-live.mjs', 'pharos.mjs']);
  expect(existsSync(join(folder, '.next', 'cache')), 'no build cache').toBe(false);
  const { stdout: shown } = await run(process.execPath, [join(folder, 'bin', 'pharos.mjs'), '--version']);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(shown, 'also where there is no Git').toMatch(new RegExp(`^${version} \\([0-9a-f]{7,}\\)\n$`));

  const service = await startService({ directory: folder });
  onTestFinished(service.stop);
  expect(await (await fetch(service.setupUrl)).text()).toContain('name="password"');
  expect((await fetch(`${service.url}/api/openapi.json`)).status).toBe(200);
  const printed = service
    .logs()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(printed, 'and nothing of Next').toEqual([`Pharos is ready at ${service.setupUrl}`]);
  // The garbage of the start is collected once processes are idle.
  await expect
    .poll(() => proportionalMemory(familyOf(service.pid)), { interval: 1000 })
    .toBeLessThan(MAX_MEMORY_MB);
});
