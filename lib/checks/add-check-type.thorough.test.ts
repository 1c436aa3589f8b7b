import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveHttps, type TestCertificate } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { type CodeCopy, copyCode, readGuideBlocks } from '@/lib/testing/code-copy';
import type { ProbeEnvironment } from './probe-environment';
import type { ProbeResult } from './result';
import { createTarget, openEnvironment } from './testing/target';

// Follows "Add a check type" of CONTRIBUTING.md in a copy of lib/checks: it compiles, and the new type checks.

let copy: CodeCopy;

type Extended = {
  probe(target: Omit<ProbeTarget, 'type'> & { type: string }, env: ProbeEnvironment): Promise<ProbeResult>;
};

beforeAll(async () => {
  copy = await copyCode('lib/checks');
});
afterAll(() => copy.remove());

it('a check type is a folder and a line in each registry, and the compiler requires the second', async () => {
  const blocks = await readGuideBlocks('Add a check type');
  expect(blocks.map(([path]) => path)).toEqual(['lib/checks/tls/tls.ts', 'lib/checks/tls/probe-tls.ts']);
  for (const [path, code] of blocks) await copy.write(path, code);

  await copy.edit(
    'lib/checks/types.ts',
    ['heartbeat, group }', 'heartbeat, group, tls }'],
    ['import ', "import { tls } from './tls/tls';\nimport "],
  );
  expect(await copy.compile()).toMatch(/probe\.ts.*'tls' is missing/s);

  const probeImport = "import { probeTls } from './tls/probe-tls';\nimport ";
  await copy.edit(
    'lib/checks/probe.ts',
    ['dns: probeDns', 'dns: probeDns, tls: probeTls'],
    ['import ', probeImport],
  );
  expect(await copy.compile()).toBe('');

  const { probe }: Extended = await import(join(copy.directory, 'lib/checks/probe.ts'));
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
