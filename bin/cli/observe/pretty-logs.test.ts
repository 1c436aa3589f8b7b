import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';
import { TEST_SECRET_KEY } from '@/lib/testing/services';

/** The first line that a worker logs whose database cannot be reached. */
async function firstLine(LOG_FORMAT: string): Promise<string> {
  const DATABASE_URL = `postgres://127.0.0.1:${await findFreePort()}/none`;
  const child = spawn(process.execPath, [join('bin', 'pharos.mjs'), 'worker'], {
    env: childEnvironment({ DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'warn', LOG_FORMAT }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
  return line;
}

it('a command logs text for people with LOG_FORMAT=pretty', async () => {
  expect(await firstLine('pretty')).toMatch(/^\[..:..:..\..{3}\] WARN \(worker\): waiting for the database/);
});

it('a command logs JSON outside of a terminal', async () => {
  expect(JSON.parse(await firstLine(''))).toMatchObject({ level: 40, name: 'worker' });
});
