import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { createKumaDatabase } from './testing/create-kuma-database';

const run = promisify(execFile);

it('works in a bundle like that of the commands, without any other file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-import-'));
  try {
    await build({
      entryPoints: [join(import.meta.dirname, 'index.ts')],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
      define: { navigator: '{"userAgent":"Node.js"}' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      splitting: true,
      target: 'node20',
    });
    const database = join(folder, 'kuma.db');
    await writeFile(
      database,
      await createKumaDatabase({ monitor: [{ name: 'Shop', type: 'ping', hostname: 'a' }] }),
    );
    const script = `
      import { readFileSync } from 'node:fs';
      import { readImport } from ${JSON.stringify(pathToFileURL(join(folder, 'index.mjs')).href)};
      const texts = { gatus: 'endpoints: [{ name: a, url: icmp://a }]', csv: 'url\\na', uptimerobot: 'Friendly Name,URL/IP\\na,a' };
      const plans = Object.entries(texts).map(([source, text]) => readImport(source, Buffer.from(text)));
      plans.push(readImport('uptime-kuma', readFileSync(${JSON.stringify(database)})));
      console.log((await Promise.all(plans)).map(({ items }) => items.length).join());
    `;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
    });
    expect(stdout.trim()).toBe('1,1,1,1');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
