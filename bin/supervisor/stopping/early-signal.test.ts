import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '@/lib/testing/wait-for';
import { copySources } from './testing/copy-sources';
import { listServing, listTree, signalTree } from './testing/process-tree';
import { beginService } from './testing/starting-service';

let folder: string;
let dataDir: string;
/** A checkout in which the web application is never built to the end: each of its builds is stopped. */
let checkout: string;

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-early-'));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
  checkout = await copySources(folder);
});
afterEach(() => remove(dataDir));
afterAll(() => remove(folder));

/** Every stage lasts longer, and reading the list of processes more often would take a whole processor. */
const INTERVAL_MS = 25;

const running = (pid: number, text: RegExp) =>
  waitUntil(() => listTree(pid).some(({ command }) => text.test(command)), {
    interval: INTERVAL_MS,
  });

/** The process that runs when a start is stopped. */
const BUILD = /next build/;
const STAGES = {
  'the web application is built': BUILD,
  'initdb creates the database': /\/initdb /,
  'PostgreSQL starts': /\/postgres -D /,
  'the database is migrated': /pharos\.mjs prepare/,
  'web and worker start': /pharos\.mjs web/,
};

async function expectToEnd(stage: RegExp, terminate: (pid: number) => void): Promise<void> {
  const service = await beginService(dataDir, { ...(stage === BUILD && { directory: checkout }) });
  await running(service.pid, stage);
  terminate(service.pid);
  expect(await service.ended, service.output()).toBe(0);
  await expect.poll(() => listServing(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, 'runtime.json'))).toBe(false);
  expect(service.output()).not.toMatch(/ready at|could not|failed|Error/i);
}

describe('a start that is stopped leaves nothing running, PostgreSQL neither, and exits with 0', () => {
  it.each(Object.entries(STAGES))('while %s: SIGTERM to every process', async (_, stage) => {
    await expectToEnd(stage, (pid) => signalTree(pid, 'SIGTERM'));
  });

  it.each(Object.entries(STAGES).slice(0, -1))('while %s: SIGTERM to the first one', async (_, stage) => {
    await expectToEnd(stage, (pid) => process.kill(pid, 'SIGTERM'));
  });
});
