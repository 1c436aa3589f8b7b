import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { publishWebBuild, webBuildName } from '@/bin/build/web-builds.mjs';
import { acquireSharedFileLock } from '@/lib/core/file-lock';
import { createLogger } from '@/lib/core/logger';
import { openWebBuild } from './open-web-build';
import { listPreviousAssets, withPreviousAssets } from './previous-assets';
import { retireWebBuilds } from './retire-web-builds';

const NOW = new Date('2026-11-27T12:00:00Z');
const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
const named = (version: number) => webBuildName(version.toString(16).padEnd(64, '0'));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pharos-builds-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** What Next writes for a version, in parts. */
async function compile(version: number): Promise<void> {
  await write('.next/server/page.js', `page ${version}`);
  await write('.next/static/chunks/shared.js', 'shared');
  await write(`.next/static/chunks/v${version}.js`, `version ${version}`);
  await write('.next/types/routes.d.ts', '');
  await write('.next/BUILD_ID', String(version));
}

async function build(version: number): Promise<string> {
  await compile(version);
  await publishWebBuild(root, named(version));
  return named(version);
}

const listBuilds = async () => (await readdir(root)).filter((name) => name.startsWith('.next-')).sort();

describe('a build', () => {
  it('has a directory of its own, and leaves what belongs to the next one', async () => {
    const name = await build(1);
    expect((await readdir(join(root, name))).sort()).toEqual(['BUILD_ID', 'in-use', 'server', 'static']);
    expect(await readdir(join(root, '.next'))).toEqual(['types']);
  });

  it('that was interrupted leaves nothing that is taken for one', async () => {
    // Killed while it was moved: the page is missing.
    await write('.next-new/BUILD_ID', '0');
    await write('.next-new/static/chunks/v0.js', 'version 0');
    expect((await listPreviousAssets({ root, current: named(1), now: NOW })).size).toBe(0);
    const name = await build(1);
    expect(await listBuilds()).toEqual([name]);
    expect(await readdir(join(root, name, 'static', 'chunks'))).toEqual(['shared.js', 'v1.js']);
  });

  it('of sources that had been left replaces what was kept of the earlier one', async () => {
    const first = await build(1);
    const second = await build(2);
    await retireWebBuilds({ root, current: second, now: NOW });
    expect(existsSync(join(root, first, 'BUILD_ID'))).toBe(false);
    await build(1);
    expect(await readFile(join(root, first, 'server', 'page.js'), 'utf8')).toBe('page 1');
    expect(existsSync(join(root, first, 'retired'))).toBe(false);
  });
});

describe('earlier builds', () => {
  it('stay whole while a process runs them, then only their assets stay, for a day', async () => {
    const first = await build(1);
    const running = acquireSharedFileLock(join(root, first, 'in-use'));
    const second = await build(2);
    await retireWebBuilds({ root, current: second, now: later(-240) });
    expect(await readdir(join(root, first))).toContain('server');
    running?.release();
    for (const hours of [0, 23]) {
      await retireWebBuilds({ root, current: second, now: later(hours) });
      expect((await readdir(join(root, first))).sort()).toEqual(['in-use', 'retired', 'static']);
    }
    await retireWebBuilds({ root, current: second, now: later(24) });
    expect(await listBuilds()).toEqual([second]);
    expect(await readdir(join(root, second))).toContain('server');
  });

  it('are bounded in number: of many in a day, the oldest are removed', async () => {
    for (let version = 1; version <= 13; version++) {
      await retireWebBuilds({ root, current: await build(version), now: later(version / 10) });
    }
    expect(await listBuilds()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map(named));
  });

  it('are retired by the process that runs the next one, which several can run at once', async () => {
    const first = await build(1);
    const second = await build(2);
    const given = { clock: { now: () => NOW }, log: createLogger('silent', 'test') };
    const assets = await openWebBuild({ root, name: second }, given);
    expect([...assets.keys()]).toEqual(['/_next/static/chunks/v1.js']);
    expect(await readdir(join(root, first))).not.toContain('server');
    await openWebBuild({ root, name: second }, given);
    // Of this process, which still runs it.
    await retireWebBuilds({ root, current: await build(3), now: later(48) });
    expect(await readdir(join(root, second))).toContain('server');
  });
});

describe('the assets of an earlier build', () => {
  it('are served for a day after nothing ran it any more, and nothing else is', async () => {
    await build(1);
    const second = await build(2);
    await write('secret.txt', 'secret');
    await retireWebBuilds({ root, current: second, now: NOW });
    let now = later(1);
    const assets = await listPreviousAssets({ root, current: second, now });
    const server = createServer(
      withPreviousAssets(assets, { now: () => now }, (_, response) => {
        response.writeHead(404).end('Next');
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/_next/static/`;
    const get = async (path: string, method = 'GET') => {
      const response = await fetch(url + path, { method });
      return [response.status, await response.text()];
    };

    const response = await fetch(`${url}chunks/v1.js?v=1`);
    expect([response.status, await response.text()]).toEqual([200, 'version 1']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/javascript; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': '9',
    });
    expect(await get('chunks/v1.js', 'HEAD')).toEqual([200, '']);
    for (const path of ['chunks/shared.js', 'chunks/v2.js', 'chunks', '../../secret.txt', '%2E%2E/retired']) {
      expect(await get(path), path).toEqual([404, 'Next']);
    }
    expect(await get('chunks/v1.js', 'POST')).toEqual([404, 'Next']);
    now = later(24);
    expect(await get('chunks/v1.js'), 'a day later').toEqual([404, 'Next']);
    now = later(2);
    await rm(join(root, named(1)), { recursive: true });
    expect(await get('chunks/v1.js'), 'removed').toEqual([404, 'Next']);
  });
});
