import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { copySources } from '@/bin/supervisor/stopping/testing/copy-sources';
import { useTestDatabase } from '@/lib/testing/database';
import { TEST_SECRET_KEY } from '@/lib/testing/services';
import { startWebProcess } from '../testing/web-process';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const database = useTestDatabase();
/** A source of the web application that is not read to run it. */
const CHANGED = 'postcss.config.mjs';
const PAGE = '/forgot-password';

const importBuild = (directory: string): Promise<typeof import('@/bin/build.mjs')> =>
  import(/* @vite-ignore */ pathToFileURL(join(directory, 'bin', 'build.mjs')).href);

/** Copies a build with links to its files, but a lock of its own. */
async function copyBuild(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]);
  await rm(join(to, 'in-use'));
}

/** A built checkout, to be built again. */
async function copyCheckout() {
  // On the disk of the build: its files are linked.
  await mkdir(join(root, 'coverage'), { recursive: true });
  const folder = await mkdtemp(join(root, 'coverage', 'in-place-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const directory = await copySources(folder);
  const { buildWeb: ensureBuilt } = await importBuild(root);
  const first = await ensureBuilt();
  await cp(join(root, 'dist'), join(directory, 'dist'), { recursive: true });
  await copyBuild(join(root, first), join(directory, first));
  await writeFile(join(directory, first, 'in-use'), '');
  const { buildWeb } = await importBuild(directory);
  return { directory, first, buildWeb };
}

it('a service runs its build while another is made, and after the restart has the assets of both', async () => {
  const { directory, first, buildWeb } = await copyCheckout();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY };
  const web = await startWebProcess(settings, directory);
  onTestFinished(web.stop);
  const [asset = ''] = /\/_next\/static\/[^"]+\.js/.exec((await web.get(PAGE)).body) ?? [];

  const source = await readFile(join(directory, CHANGED), 'utf8');
  await rm(join(directory, CHANGED));
  await writeFile(join(directory, CHANGED), `${source}// changed\n`);
  let isBuilding = true;
  const building = buildWeb({
    compile: async () => {
      await copyBuild(join(directory, first), join(directory, '.next'));
      await rm(join(directory, '.next', asset.replace('/_next/', '')));
    },
  }).finally(() => {
    isBuilding = false;
  });
  const statuses = new Set<number>();
  for (let requests = 0; isBuilding || requests < 10; requests++) {
    statuses.add((await web.get(requests % 2 === 0 ? PAGE : asset)).status);
  }
  const second = await building;
  expect([...statuses]).toEqual([200]);
  expect(second).not.toBe(first);
  expect(await readdir(join(directory, first)), 'it still runs').toContain('server');

  await web.stop();
  const restarted = await startWebProcess(settings, directory);
  onTestFinished(restarted.stop);
  const { status, headers } = await restarted.get(asset);
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await readdir(join(directory, first))).sort()).toEqual(['in-use', 'retired', 'static']);
  expect(restarted.logs()).not.toMatch(/Building|next\.config/);
});
