import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { MUTATIONS } from './mutations';

it('each known fault can be built into the worker, as the build names things', async () => {
  const { outputFiles } = await build({
    entryPoints: ['bin/cli/main.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const text = outputFiles.map((file) => file.text).join('\n');
  expect(MUTATIONS.filter(({ from }) => !text.includes(from)).map(({ name }) => name)).toEqual([]);
});
