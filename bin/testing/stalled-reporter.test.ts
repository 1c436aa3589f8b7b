import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('a run with a test that loops forever ends, and names its file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stalled-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(
    join(directory, 'vitest.config.mjs'),
    `import StalledReporter from ${JSON.stringify(join(root, 'bin/testing/stalled-reporter.mjs'))};
     export default { test: { globals: true, reporters: [new StalledReporter({ quietMs: 3000 })] } };`,
  );
  await writeFile(join(directory, 'good.test.mjs'), `it('ends', () => {});`);
  await writeFile(join(directory, 'bad.test.mjs'), `it('loops', () => { for (;;); });`);

  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawn(process.execPath, [vitest, 'run', '--root', directory], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // The process that loops is another one.
  onTestFinished(() => void process.kill(-(run.pid ?? 0), 'SIGKILL'));
  const [output, [code]] = await Promise.all([text(run.stderr), once(run, 'exit')]);
  expect(output).toContain('Nothing has happened in the tests for 3 s. Still running:\n');
  expect(output).toMatch(/bad\.test\.mjs: (loops|loading)/);
  expect(output).not.toContain('good.test');
  expect(code).toBe(1);
});
