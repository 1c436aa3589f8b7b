import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveHttps, type TestCertificate } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { ProbeEnvironment } from './probe-environment';
import type { ProbeResult } from './result';
import { createTarget, openEnvironment } from './testing/target';

// What CONTRIBUTING.md says of adding a check type, done to a copy of lib/checks: it compiles, and the new type checks.

const root = fileURLToPath(new URL('../..', import.meta.url));
let copy = '';

type Extended = {
  probe(target: Omit<ProbeTarget, 'type'> & { type: string }, env: ProbeEnvironment): Promise<ProbeResult>;
};

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'pharos-check-type-'));
  await cp(join(root, 'lib/checks'), join(copy, 'lib/checks'), {
    recursive: true,
    filter: (path) => !/\.test\.ts$|\/testing$/.test(path),
  });
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { '@/lib/checks/*': [join(copy, 'lib/checks/*')], '@/*': [join(root, '*')] },
    },
    include: ['lib'],
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(config));
});
afterAll(() => rm(copy, { recursive: true }));

async function edit(path: string, ...replacements: [from: string, to: string][]) {
  let text = await readFile(join(copy, path), 'utf8');
  for (const [from, to] of replacements) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  await writeFile(join(copy, path), text);
}

/** What the compiler says of the copy; empty where it finds nothing. */
async function compile(): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [tsc, '--noEmit', '-p', copy]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it('a check type is a folder and a line in each registry, and the compiler demands the second', async () => {
  const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  const blocks = [...guide.matchAll(/^ {3}```ts\n {3}\/\/ (lib\/checks\/tls\/\S+)\n([\s\S]*?)^ {3}```$/gm)];
  expect(blocks.map(([, path]) => path)).toEqual(['lib/checks/tls/tls.ts', 'lib/checks/tls/probe-tls.ts']);
  await mkdir(join(copy, 'lib/checks/tls'));
  for (const [, path = '', code = ''] of blocks) {
    await writeFile(join(copy, path), code.replaceAll(/^ {3}/gm, ''));
  }

  await edit(
    'lib/checks/types.ts',
    ['ping, dns }', 'ping, dns, tls }'],
    ['import ', "import { tls } from './tls/tls';\nimport "],
  );
  expect(await compile()).toMatch(/probe\.ts.*'tls' is missing/s);

  const probeImport = "import { probeTls } from './tls/probe-tls';\nimport ";
  await edit(
    'lib/checks/probe.ts',
    ['dns: probeDns', 'dns: probeDns, tls: probeTls'],
    ['import ', probeImport],
  );
  expect(await compile()).toBe('');

  const { probe }: Extended = await import(join(copy, 'lib/checks/probe.ts'));
  const check = async (certificate: TestCertificate) => {
    const { host } = new URL((await serveHttps(certificate)).url);
    return probe({ ...createTarget('tcp', host), type: 'tls' }, openEnvironment);
  };
  expect(await check('good')).toMatchObject({
    outcome: 'ok',
    phases: { tls: expect.any(Number), firstByte: null },
  });
  expect(await check('expired')).toMatchObject({ outcome: 'failed', error: { code: 'tls' } });
});
