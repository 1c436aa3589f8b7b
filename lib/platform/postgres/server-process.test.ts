import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLastFatal, openServerLog, readServerLog } from './server-process';

describe('the server’s log', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'server-log-'));
    path = join(directory, 'postgres.log');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('is appended to, and reads from where this start began', async () => {
    await writeFile(path, 'old\n');
    const { file, offset } = await openServerLog(path);
    await file.write('new\n');
    await file.close();
    expect(await readServerLog(path, offset)).toBe('new\n');
    expect(await readServerLog(path, 0)).toBe('old\nnew\n');
  });

  it('is truncated once it exceeds 10 MB', async () => {
    await writeFile(path, Buffer.alloc(10 * 1024 * 1024 + 1));
    const { file, offset } = await openServerLog(path);
    await file.close();
    expect(offset).toBe(0);
    expect((await stat(path)).size).toBe(0);
  });

  it('contains why the server ended: the last FATAL or PANIC, or else the last line', () => {
    const fatal = '2026-11-20 10:00:00 UTC [7] FATAL:  could not write: No space left on device';
    expect(findLastFatal(`[1] LOG:  starting\n${fatal}\n[1] LOG:  shut down\n`)).toBe(
      'could not write: No space left on device',
    );
    expect(findLastFatal('postgres: cannot load libxml2.so.2\n')).toBe('postgres: cannot load libxml2.so.2');
    expect(findLastFatal('')).toBeNull();
  });
});
