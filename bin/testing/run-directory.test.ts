import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRunDirectory, removeRunDirectory } from './run-directory.mjs';

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
