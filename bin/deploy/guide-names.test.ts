import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VARIABLE_NAMES } from '@/lib/env';
import { readGuides } from './testing/read-guides';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What guides name like settings, although Pharos does not read it as one. */
const OTHERS = [
  // Of a probe, which has no other settings.
  'PHAROS_URL',
  'PHAROS_PROBE_TOKEN',
  'PHAROS_PROBE_SPOOL',
  'PHAROS_PROBE_SPOOL_MB',
  'PHAROS_PROBE_OFFLINE_MINUTES',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  // Of OpenTelemetry, whose libraries read them.
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_RESOURCE_ATTRIBUTES',
  // Of Node.js.
  'NODE_EXTRA_CA_CERTS',
  // Of the operating system, PostgreSQL and PgBouncer.
  'CAP_NET_RAW',
  'NET_RAW',
  'PG_VERSION',
  'ORG_ID',
  'CURRENT_USER',
];

/** Connections of the database that are named like commands. */
const POOLS = ['web front', 'visitors', 'limits'];

/** The text of every source file, without tests. */
const sources = ['bin', 'lib', 'inngest']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, folder, path),
    ),
  )
  .filter((path) => /\.(ts|mjs)$/.test(path) && !/\.test\.ts$|\/generated\//.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const read = (words: RegExp, text: string) => [...text.matchAll(words)].map(([, name = '']) => name);

describe.each(readGuides())('docs/operate/$name', ({ text }) => {
  it('names only settings that exist', () => {
    const named = read(/\b([A-Z]+(?:_[A-Z]+)+)\b/g, text);
    expect(named.filter((each) => !VARIABLE_NAMES.includes(each) && !OTHERS.includes(each))).toEqual([]);
  });

  it('names only metrics that exist', () => {
    const missing = read(/\b(pharos_[a-z_]+)/g, text).filter((each) => !sources.includes(`'${each}'`));
    expect(missing).toEqual([]);
  });

  it('names only commands that exist', () => {
    const named = read(/(?:`pharos|npm run (?:-s )?pharos --) ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g, text);
    const missing = named.filter((words) => {
      if (POOLS.includes(words)) return false;
      const [first = '', second = first] = words.split(' ');
      return ![first, second].every((word) => new RegExp(`command\\(['"]${word}\\b`).test(sources));
    });
    expect(missing).toEqual([]);
  });
});

it('docs/operate/troubleshooting.md quotes only messages that Pharos has', () => {
  const { text = '' } = readGuides().find(({ name }) => name === 'troubleshooting.md') ?? {};
  const messages = read(/`([a-zA-Z_]+ [a-z]+ [a-z ][^`]*)`/g, text).filter(
    (words) => !/^(pharos|npm|sysctl) /.test(words),
  );
  expect(messages.length).toBeGreaterThan(7);
  expect(messages.filter((message) => !sources.includes(message.trim()))).toEqual([]);
});
