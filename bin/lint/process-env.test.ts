import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const READS = 'export const port = process.env.PORT;\n';

/** Lints a copy of `source` at each path with the rules of the repository; returns the paths that violate `rule`. */
async function findRefused(rule: string, source: string, paths: string[]): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'lint-'));
  try {
    await cp(join(root, 'biome.json'), join(directory, 'biome.json'));
    for (const path of paths) {
      await mkdir(join(directory, dirname(path)), { recursive: true });
      await writeFile(join(directory, path), source);
    }
    const report = await new Promise<string>((resolve) => {
      const options = ['lint', '--vcs-enabled=false', '--reporter=json', '.'];
      // It exits with 1 if it finds a violation.
      execFile(process.execPath, [biome, ...options], { cwd: directory }, (_, stdout) => resolve(stdout));
    });
    const { diagnostics } = JSON.parse(report) as {
      diagnostics: { category: string; location: { path: string } }[];
    };
    const refused = diagnostics.filter(({ category }) => category.endsWith(rule));
    return refused.map(({ location }) => location.path).sort();
  } finally {
    await rm(directory, { recursive: true });
  }
}

it('process.env is allowed only in lib/env.ts and the entry points of bin', async () => {
  const allowed = ['lib/env.ts', 'bin/pharos.mjs'];
  const refused = [
    'app/page.tsx',
    'bin/commands/start.ts',
    'inngest/client.ts',
    'lib/domain/monitors/get-monitor.ts',
  ];
  expect(await findRefused('noProcessEnv', READS, [...allowed, ...refused])).toEqual(refused);
});
