import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '@/lib/env';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the Dockerfile builds on. It is not downloaded: tests load nothing but packages. */
const BASE = 'node:24-bookworm-slim';
const IMAGE = 'pharos-image-test';
const COMMIT = '0123abc';
const BUILD_MS = 900_000;

const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['image', 'inspect', BASE]).status === 0);

/** Runs the container engine; resolves to what it prints. */
async function command(...words: string[]): Promise<string> {
  const { stdout } = await run(engine ?? '', words, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    // Podman's own format has no health check.
    env: childEnvironment({ BUILDAH_FORMAT: 'docker' }),
  });
  return stdout.trim();
}

/** Starts a container of Pharos that is removed after the test, with its log. */
async function startContainer(...words: string[]) {
  const id = await command('run', '--detach', ...words);
  onTestFinished(async () => void (await command('rm', '--force', '--volumes', id)));
  return {
    id,
    isHealthy: () =>
      command('exec', id, 'node', 'bin/is-live.mjs').then(
        () => true,
        () => false,
      ),
    stop: () => command('stop', '--time', '30', id),
    exitCode: async () => Number(await command('inspect', '--format', '{{.State.ExitCode}}', id)),
  };
}

describe.skipIf(engine === undefined)(`the image, where docker or podman has ${BASE}`, () => {
  beforeAll(() => command('build', '--build-arg', `COMMIT=${COMMIT}`, '--tag', IMAGE, '.'), BUILD_MS);
  afterAll(async () => void (await command('rmi', '--force', IMAGE)));

  it('starts with a database of its own, is healthy on any port, and stops in order', async () => {
    const { id, isHealthy, stop, exitCode } = await startContainer(
      '--env',
      'PORT=8080',
      '--publish',
      '127.0.0.1::8080',
      IMAGE,
    );
    await expect.poll(isHealthy, { interval: 500 }).toBe(true);
    const [address = ''] = (await command('port', id, '8080')).split('\n');
    const health = async () => (await fetch(`http://${address}/api/health`)).status;
    await expect.poll(health, { interval: 500 }).toBe(200);
    expect(await command('exec', id, 'id', '--user', '--name')).toBe('node');
    await stop();
    expect(await exitCode()).toBe(0);
  });

  it('has a health check, and shows its version with the commit it was built from', async () => {
    const [image] = JSON.parse(await command('image', 'inspect', IMAGE));
    // As Docker and as Podman show it.
    const check = image.Config.Healthcheck ?? image.Healthcheck;
    expect(check.Test).toEqual(['CMD', 'node', 'bin/is-live.mjs']);
    expect(await command('run', '--rm', IMAGE, '--version')).toContain(COMMIT);
  });
});
