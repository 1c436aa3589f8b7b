import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { copySources } from './testing/copy-sources';
import { expectToEnd } from './testing/expect-to-end';
import { signalTree } from './testing/process-tree';

let folder: string;
let dataDir: string;
/** A checkout in which the web application is never built to the end: each of its builds is stopped. */
let checkout: string;

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

beforeAll(async () => {
  folder = await createOpenFolder('pharos-early-');
  dataDir = join(folder, 'data');
  checkout = await copySources(folder);
});
afterEach(() => remove(dataDir));
afterAll(() => remove(folder));

/** The process that runs when a start is stopped. */
const BUILD = /next build/;
const STAGES = {
  'the web application is built': BUILD,
  'initdb creates the database': /\/initdb /,
  'PostgreSQL starts': /\/postgres -D /,
  'the database is migrated': /pharos\.mjs prepare/,
  'web and worker start': /pharos\.mjs web/,
};

const settingOf = (stage: RegExp) => ({ dataDir, ...(stage === BUILD && { directory: checkout }) });

describe('a start that is stopped leaves nothing running, PostgreSQL neither, and exits with 0', () => {
  it.each(Object.entries(STAGES))('while %s: SIGTERM to every process', async (_, stage) => {
    await expectToEnd(settingOf(stage), stage, (pid) => signalTree(pid, 'SIGTERM'));
  });

  it.each(Object.entries(STAGES).slice(0, -1))('while %s: SIGTERM to the first one', async (_, stage) => {
    await expectToEnd(settingOf(stage), stage, (pid) => process.kill(pid, 'SIGTERM'));
  });
});
