import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { z } from 'zod';

const guide = readFileSync('docs/operate/monitoring.md', 'utf8');
const traces = guide.slice(guide.indexOf('## Traces'), guide.indexOf('## Who watches Pharos'));
const missing = (names: readonly string[]) => names.filter((name) => !traces.includes(`\`${name}\``));

it('the guide lists every kind of span that Next exports by default', () => {
  const constants: unknown = createRequire(import.meta.url)('next/dist/server/lib/trace/constants');
  const types = [
    ...z.object({ NextVanillaSpanAllowlist: z.set(z.string()) }).parse(constants).NextVanillaSpanAllowlist,
  ];
  expect(types).toContain('BaseServer.handleRequest');
  expect(missing(types)).toEqual([]);
});

it('the guide lists every attribute of our own spans', () => {
  const sources = [
    'lib/engine/checks/run-check.ts',
    'lib/engine/deliveries/drain-deliveries.ts',
    'lib/platform/db/traced-adapter.ts',
    'lib/platform/tracing/export-traces.ts',
  ].map((path) => readFileSync(path, 'utf8'));
  const names = sources.flatMap(
    (source) => source.match(/(?<=')(pharos|db|http\.response|error)\.[\w.]+(?=')/g) ?? [],
  );
  expect(names.length).toBeGreaterThan(8);
  expect(missing(names)).toEqual([]);
});

it('nothing else in the sources records spans', () => {
  const files = ['lib', 'inngest', 'bin', 'app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const recording = files.filter(
    (path) => /(?<!\.test)\.tsx?$/.test(path) && /\btraced[(<]/.test(readFileSync(path, 'utf8')),
  );
  expect(recording.sort()).toEqual([
    'lib/core/calls/traced.ts',
    'lib/engine/checks/run-check.ts',
    'lib/engine/deliveries/drain-deliveries.ts',
    'lib/platform/db/traced-adapter.ts',
  ]);
});
