import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '@/lib/env';
import { mountTinyDisk } from '@/lib/testing/tiny-disk';
import { createRunDirectory, isUsable, removeRunDirectory } from './run-directory.mjs';

it('removing the directory of a run removes its contents and stops its databases', async () => {
  const directory = createRunDirectory();
  const data = join(directory, 'some-test', 'data');
  await mkdir(data, { recursive: true });
  const server = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
  const ended = once(server, 'exit');
  await writeFile(join(data, 'postmaster.pid'), `${server.pid}\n${data}\n`);
  removeRunDirectory(directory);
  expect(existsSync(directory)).toBe(false);
  expect(await ended).toEqual([null, 'SIGQUIT']);
});

it.runIf(process.platform === 'linux')(
  'removing it ends the programs of its tests, and no others',
  async () => {
    const [directory, other] = [createRunDirectory(), createRunDirectory()];
    onTestFinished(() => removeRunDirectory(other));
    const run = (folder: string) =>
      spawn('sleep', ['60'], { stdio: 'ignore', detached: true, env: childEnvironment({ TMPDIR: folder }) });
    const [own, foreign] = [run(directory), run(other)];
    const ended = once(own, 'exit');
    await Promise.all([once(own, 'spawn'), once(foreign, 'spawn')]);
    removeRunDirectory(directory);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  },
);

it('removing it waits for a program that is still writing its last files', async () => {
  const directory = createRunDirectory();
  const data = join(directory, 'data');
  await mkdir(data);
  const write = `for (const end = Date.now() + 1000; Date.now() < end; ) require('fs').writeFileSync(Date.now() + '.log', '')`;
  const writer = spawn(process.execPath, ['-e', write], { cwd: data, stdio: 'ignore' });
  const ended = once(writer, 'exit');
  await expect.poll(async () => (await readdir(data)).length).toBeGreaterThan(0);
  removeRunDirectory(directory);
  expect(existsSync(directory)).toBe(false);
  await ended;
});

it('a missing or small file system is not used for tests', async ({ skip }) => {
  expect(isUsable('/no/such/directory')).toBe(false);
  const disk = await mountTinyDisk(8);
  if (disk === null) return skip('mounting requires root');
  onTestFinished(disk.unmount);
  expect(isUsable(disk.directory)).toBe(false);
});
