import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProbe } from '@/bin/build-probe.mjs';
import { startProgram } from '@/e2e/support/start-worker';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { testMonitor } from '@/lib/domain/monitors/test-monitor';
import { childEnvironment } from '@/lib/env';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { startTarget } from '@/lib/testing/target';
import { version } from '@/package.json';
import { serveProbes } from './testing/serve-probes';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = join(root, 'node_modules');
const database = useTestDatabase();
const SOON = { interval: 200 };
/** With the native program of this platform. */
const MAX_INSTALLED_BYTES = 5 * 1024 * 1024;

let folder: string;
/** The packed probe, installed without a registry: with koffi, and without it. */
let full: string;
let bare: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-probe-'));
  const env = childEnvironment({ npm_config_cache: join(folder, '.npm') });
  const source = join(root, 'clients', 'probe');
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source, env });
  const install = async (name: string, others: string[]) => {
    const project = join(folder, name);
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{"name": "machine", "private": true}');
    const tarball = join(folder, `pharos-probe-${version}.tgz`);
    const options = ['--offline', '--ignore-scripts', '--install-links', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...options, tarball, ...others], { cwd: project, env });
    return project;
  };
  const natives = await readdir(join(packages, '@koromix'));
  full = await install('full', [
    join(packages, 'koffi'),
    ...natives.map((name) => join(packages, '@koromix', name)),
  ]);
  bare = await install('bare', []);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = (project: string) => join(project, 'node_modules', '.bin', 'pharos-probe');

describe('the bundle of a probe', () => {
  it('has no part of the database, the web application or the scheduler, and imports only Node.js and koffi', async () => {
    const { metafile } = await bundleProbe();
    const outputs = Object.values(metafile.outputs);
    expect(outputs).toHaveLength(1);
    const files = outputs.flatMap(({ inputs }) => Object.keys(inputs));
    expect(files).toContain('lib/engine/remote/run-probe.ts');
    const unwanted =
      /node_modules\/(@prisma|pg|next|react|inngest|nodemailer)\b|^(app|components|inngest)\/|generated/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
    const imported = new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)));
    const others = [...imported].filter((path) => !builtinModules.includes(path.replace(/^node:/, '')));
    expect(others).toEqual(['koffi']);
  });
});

describe('the package @pharos/probe', () => {
  it('is one program of the same version as Pharos; koffi is its only dependency, and optional', async () => {
    const installed = join(bare, 'node_modules', '@pharos', 'probe');
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(version);
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest.optionalDependencies).toEqual({ koffi: dependencies.koffi });
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([
      'optionalDependencies',
    ]);
    expect((await readdir(join(installed, 'dist'))).sort()).toEqual(['LICENSE', 'pharos-probe.mjs']);
    const others = (await readdir(join(bare, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(others).toEqual(['@pharos']);
  });

  it('takes less than 5 MB on the disk, with koffi', async () => {
    const { stdout } = await run('du', ['-sk', join(full, 'node_modules')]);
    expect(Number.parseInt(stdout, 10) * 1024).toBeLessThan(MAX_INSTALLED_BYTES);
  });

  it('explains its options and variables, and what is missing or wrong', async () => {
    const { stdout } = await run(program(bare), ['--help'], { cwd: bare });
    for (const text of ['--url', 'PHAROS_URL', '--token', 'PHAROS_PROBE_TOKEN', 'NETWORK_CANARY']) {
      expect(stdout).toContain(text);
    }
    expect((await run(program(bare), ['--version'], { cwd: bare })).stdout).toBe(`${version}\n`);
    const fail = (words: string[], env = {}) =>
      run(program(bare), words, { cwd: bare, env: childEnvironment(env) }).then(
        () => 'nothing',
        ({ code, stderr }) => `${code}: ${stderr}`,
      );
    expect(await fail([])).toContain("1: error: required option '--url <url>' not specified");
    const options = ['--url', 'http://127.0.0.1:9', '--token', 'x'];
    expect(await fail(options)).toMatch(/^1: cannot reach http:\/\/127\.0\.0\.1:9: .*\n$/);
    expect(await fail(options, { LOG_LEVEL: 'loud' })).toMatch(/^1: LOG_LEVEL must be .*\n$/);
  });

  it('runs the checks of its region with nothing else of Pharos, whatever the settings of other programs are', async () => {
    const { ctx, url, token } = await serveProbes(database);
    const target = await startTarget();
    onTestFinished(target.close);
    const probe = await startProgram(
      [program(full)],
      { PHAROS_URL: url, PHAROS_PROBE_TOKEN: token, LOG_LEVEL: 'fatal', DATABASE_URL: 'mysql://db/shop' },
      full,
    );
    onTestFinished(probe.kill);
    const input = { name: 'Shop', url: target.url, regions: ['eu-west'] };
    const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
    await expect.poll(async () => (await getMonitor(ctx, id)).status, SOON).toBe('operational');
    const ping = { name: 'Gateway', type: 'ping', url: '127.0.0.1', regions: ['eu-west'] };
    const { errorMessage } = await testMonitor(ctx, createMonitorSchema.parse(ping));
    expect(errorMessage ?? '').not.toContain('koffi');
    await probe.stop();
    const owned = await database.db.$queryRaw`SELECT 1 FROM raw.shard_lease WHERE owner IS NOT NULL`;
    expect(owned).toEqual([]);
  });

  it('does not blame a host that it cannot ping without koffi and a ping program', async () => {
    const { ctx, url, token } = await serveProbes(database);
    const probe = await startProgram(
      [process.execPath, program(bare)],
      { PHAROS_URL: url, PHAROS_PROBE_TOKEN: token, LOG_LEVEL: 'fatal', PATH: bare },
      bare,
    );
    onTestFinished(probe.kill);
    const ping = { name: 'Gateway', type: 'ping', url: '127.0.0.1', regions: ['eu-west'] };
    expect(await testMonitor(ctx, createMonitorSchema.parse(ping))).toMatchObject({
      outcome: 'unknown',
      errorMessage:
        'this worker cannot ping: the package koffi is not installed; no ping program is installed',
    });
    await probe.stop();
  });
});
