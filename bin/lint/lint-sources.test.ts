import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lintSources } from './lint-sources.mjs';
import { DOORS } from './zones.mjs';

/** Lints a small repository: path → text. */
function lint(files: Record<string, string>): string[] {
  return lintSources(new Map(Object.entries(files)));
}

// `npm run lint` lints the repository itself.
describe('direction', () => {
  it('lets a zone import lower ones, by alias and by relative path', () => {
    const files = {
      'lib/core/clock.ts': 'export const clock = 1;',
      'lib/platform/db/client.ts': "import { clock } from '../../core/clock';\nexport const db = clock;",
      'lib/domain/monitors/find-monitor.ts':
        "import { db } from '@/lib/platform/db/client';\nexport const get = db;",
      'app/page.tsx': "export { get } from '@/lib/domain/monitors/find-monitor';",
    };
    expect(lint(files)).toEqual([]);
  });

  it.each([
    ['an import', "import { get } from '@/lib/domain/monitors/get';"],
    ['a type', "import type { Get } from '@/lib/domain/monitors/get';"],
    ['a type inside an expression', "export type G = import('@/lib/domain/monitors/get').Get;"],
    ['a re-export', "export * from '../domain/monitors/get';"],
    ['an import() of a literal', "export const late = () => import('@/lib/domain/monitors/get');"],
  ])('rejects %s of a higher zone', (_, text) => {
    const findings = lint({
      'lib/domain/monitors/get.ts': 'export const get = 1;\nexport type Get = number;',
      'lib/core/a.ts': text,
    });
    expect(findings).toEqual([
      'lib/core/a.ts:1 lib/core must not import lib/domain/monitors, which is above it',
    ]);
  });

  it.each(['schemas', 'state', 'plans', 'checks'])('keeps lib/%s away from the database', (zone) => {
    const findings = lint({
      'lib/platform/db/client.ts': 'export const db = 1;',
      [`lib/${zone}/a.ts`]: "import { db } from '@/lib/platform/db/client';\nexport const a = db;",
    });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(`lib/${zone} may import only`);
  });

  it('lets probes use the network, and keeps the rest of a check type below schemas', () => {
    const findings = lint({
      'lib/platform/net/connect.ts': 'export const connect = 1;',
      'lib/schemas/target.ts': "import { udp } from '@/lib/checks/udp/udp';\nexport const target = udp;",
      'lib/checks/udp/probe-udp.ts':
        "import { connect } from '@/lib/platform/net/connect';\nimport { udp } from './udp';\nexport const p = connect + udp;",
      'lib/checks/udp/udp.ts': 'export const udp = 1;',
      'lib/checks/udp/a.ts': "import '@/lib/platform/net/connect';",
      'lib/checks/udp/b.ts': "import '@/lib/schemas/target';",
      'lib/checks/udp/c.ts': "import './probe-udp';",
      'components/target.tsx': "import '@/lib/checks/udp/udp';\nimport '@/lib/checks/udp/probe-udp';",
    });
    expect(findings).toEqual([
      'components/target.tsx:2 components may import only lib/core, lib/checks, lib/schemas, lib/importing, not probes',
      'lib/checks/udp/a.ts:1 lib/checks may import only lib/core, not lib/platform/net',
      'lib/checks/udp/b.ts:1 lib/checks may import only lib/core, not lib/schemas',
      'lib/checks/udp/c.ts:1 lib/checks may import only lib/core, not probes',
    ]);
  });

  it('keeps incidents and webhooks from knowing monitors, and lets incidents know webhooks', () => {
    const findings = lint({
      'lib/domain/monitors/m.ts': 'export const m = 1;',
      'lib/domain/webhooks/w.ts': "import { m } from '@/lib/domain/monitors/m';\nexport const w = m;",
      'lib/domain/incidents/i.ts':
        "import { w } from '@/lib/domain/webhooks/w';\nimport { m } from '@/lib/domain/monitors/m';\nexport const i = w + m;",
    });
    expect(findings).toEqual([
      'lib/domain/incidents/i.ts:2 lib/domain/incidents must not import lib/domain/monitors, which is next to it',
      'lib/domain/webhooks/w.ts:1 lib/domain/webhooks must not import lib/domain/monitors, which is next to it',
    ]);
  });

  it('rejects folders and files of lib without a floor', () => {
    const findings = lint({ 'lib/billing/pay.ts': 'export {};', 'lib/helpers.ts': 'export {};' });
    expect(findings).toEqual([
      'lib/billing give lib/billing a floor in bin/lint/zones.mjs',
      'lib/helpers.ts give lib/helpers.ts a floor in bin/lint/zones.mjs',
    ]);
  });

  it('rejects imports of missing files, because rules could not follow them', () => {
    const findings = lint({
      'lib/core/a.ts': "import './gone';\nimport '@/lib/platform/db/generated/client';",
    });
    expect(findings).toEqual(['lib/core/a.ts:1 ./gone does not exist']);
  });

  it('lets tests import anything, and no other code import test helpers', () => {
    const findings = lint({
      'lib/testing/database.ts': "import '@/lib/engine/drain';",
      'lib/engine/drain.ts': "import '@/lib/testing/database';",
      'lib/engine/drain.test.ts': "import '@/lib/testing/database';\nimport '@/app/page';",
      'e2e/support/start.ts': "import '@/lib/testing/database';",
      'app/page.tsx': '',
    });
    expect(findings).toContain('lib/engine/drain.ts:1 lib/testing/database.ts is for tests only');
    expect(findings.filter((finding) => !finding.includes('import cycle'))).toHaveLength(1);
  });
});

describe('doors', () => {
  const door = 'lib/platform/postgres';
  const folder = {
    [`${door}/index.ts`]: "export { start } from './start';",
    [`${door}/start.ts`]: 'export const start = 1;\nexport type Start = number;',
    [`${door}/testing/playground.ts`]: "import { start } from '../start';\nexport const run = start;",
    [`${door}/start.test.ts`]: "import { start } from './start';\nimport './testing/playground';\nstart;",
  };

  it('are the index.ts of a folder; its own tests may use its files, and others its test helpers', () => {
    const files = {
      ...folder,
      'bin/cli.ts': "import { start } from '@/lib/platform/postgres';\nstart;",
      'bin/cli.test.ts':
        "import '@/lib/platform/postgres';\nimport '@/lib/platform/postgres/testing/playground';",
    };
    expect(lint(files)).toEqual([]);
  });

  it('may be two', () => {
    const front = 'lib/platform/page-front';
    const files = {
      [`${front}/index.ts`]: 'export const respond = 1;',
      [`${front}/application.ts`]: 'export const note = 1;',
      [`${front}/cache.ts`]: 'export const cache = 1;',
      'lib/engine/a.ts': `import '@/${front}';\nimport '@/${front}/application';\nimport '@/${front}/cache';`,
    };
    expect(lint(files)).toEqual([
      `lib/engine/a.ts:3 import ${front}, not ${front}/cache.ts: only index.ts and application.ts is public`,
    ]);
  });

  it.each([
    ['lib/engine/drain.ts', "import { start } from '@/lib/platform/postgres/start';\nstart;"],
    ['lib/platform/db/client.ts', "export { start } from '../postgres/start';"],
    ['app/page.ts', "import type { Start } from '@/lib/platform/postgres/start';\nexport type S = Start;"],
    ['bin/late.ts', "export const late = () => import('@/lib/platform/postgres/start');"],
    ['bin/cli.test.ts', "import '@/lib/platform/postgres/start';"],
    ['e2e/start.ts', "import '@/lib/platform/postgres/start';"],
  ])('cannot be bypassed by %s', (path, text) => {
    const refusal = `${path}:1 import ${door}, not ${door}/start.ts: only index.ts is public`;
    expect(lint({ ...folder, [path]: text })).toContain(refusal);
  });

  it.each(['lib/domain/monitors', 'lib/engine', 'lib/web/http'])('keep %s out of their folders', (zone) => {
    const floor = zone.split('/').slice(0, 2).join('/');
    const text = `import type { A } from '@/${zone}/a';\nexport type B = A;`;
    const files = {
      [`${zone}/a.ts`]: 'export type A = 1;',
      [`${door}/b.ts`]: text,
      [`${door}/b.test.ts`]: text,
    };
    const findings = lint({ ...folder, ...files });
    expect(findings).toContain(
      `${door}/b.ts:1 ${door} must not know ${floor}: take what it needs as an argument`,
    );
    expect(findings.filter((finding) => finding.includes('b.test.ts'))).toEqual([]);
  });

  it('have a README.md', () => {
    for (const [folder, names] of Object.entries(DOORS)) {
      const root = new URL('../../', import.meta.url);
      expect(readFileSync(new URL(`${folder}/README.md`, root), 'utf8')).toMatch(/^# .{5}/);
      for (const name of names) expect(existsSync(new URL(`${folder}/${name}`, root)), name).toBe(true);
    }
  });
});

describe('components', () => {
  const lib = {
    'lib/core/duration.ts': 'export const format = 1;',
    'lib/core/secret.ts': "import { createHash } from 'node:crypto';\nexport const secret = createHash;",
    'lib/core/indirect.ts': "export { secret } from './secret';",
    'lib/schemas/monitor.ts': 'export const schema = 1;',
    'lib/domain/monitors/get.ts': 'export const get = 1;\nexport type Get = number;',
  };

  it('import schemas, the pure part of core, each other, and all types of lib', () => {
    const text = `
      import { format } from '@/lib/core/duration';
      import { schema } from '@/lib/schemas/monitor';
      import type { Get } from '@/lib/domain/monitors/get';
      import { button } from '../ui/button';
      export const card: Get = format + schema + button;`;
    const files = {
      'components/ui/button.tsx': 'export const button = 1;',
      'components/monitors/card.tsx': text,
    };
    expect(lint({ ...lib, ...files })).toEqual([]);
  });

  it('import no verbs, and nothing that is only for the server', () => {
    const imports = [
      '@/lib/domain/monitors/get',
      '@/lib/core/indirect',
      'ipaddr.js',
      '@/lib/schemas/webhook',
    ];
    const text = imports.map((from) => `import '${from}';`).join('\n');
    const formats = {
      'lib/schemas/webhook.ts':
        "import { FORMATS } from '@/lib/webhook-formats/formats';\nexport const all = FORMATS;",
      'lib/webhook-formats/formats.ts': 'export const FORMATS = {};',
    };
    expect(lint({ ...lib, ...formats, 'components/card.tsx': text })).toEqual([
      'components/card.tsx:1 components may import only lib/core, lib/checks, lib/schemas, lib/importing, not lib/domain/monitors',
      'components/card.tsx:2 @/lib/core/indirect is not for browsers: ' +
        'lib/core/indirect.ts → lib/core/secret.ts → node:crypto',
      'components/card.tsx:3 ipaddr.js is not for browsers: ipaddr.js',
      'components/card.tsx:4 @/lib/schemas/webhook is not for browsers: ' +
        'lib/schemas/webhook.ts → lib/webhook-formats/formats.ts',
    ]);
  });
});

describe('frameworks', () => {
  it.each(['next/headers', 'next-auth', 'inngest', 'react'])(
    'keeps domain modules from knowing %s',
    (name) => {
      const files = {
        'lib/domain/webhooks/a.ts': `import type {} from '${name}';`,
        'lib/web/http/a.ts': `import '${name}';`,
      };
      expect(lint(files)).toEqual([`lib/domain/webhooks/a.ts:1 lib/domain/webhooks must not know ${name}`]);
    },
  );
});

describe('sockets', () => {
  it.each([
    ["import { connect } from 'node:net';", 'node:net'],
    ["import * as net from 'node:net';", 'node:net'],
    ["import { isIP, connect } from 'node:net';", 'node:net'],
    ["import tls from 'node:tls';", 'node:tls'],
    ["import { createSocket } from 'node:dgram';", 'node:dgram'],
    ["import { request } from 'node:http';", 'node:http'],
    ["export { get } from 'node:https';", 'node:https'],
    ["import { Agent } from 'undici';", 'undici'],
    ["await import('node:net');", 'node:net'],
    ["await fetch('http://example.com');", 'fetch'],
    ["await globalThis.fetch('http://example.com');", 'fetch'],
    ["new WebSocket('ws://example.com');", 'WebSocket'],
  ])('are opened by lib/platform/net only: %s', (text, name) => {
    const files = {
      'lib/domain/webhooks/send.ts': text,
      'lib/platform/net/connect.ts': text,
      'lib/domain/webhooks/send.test.ts': text,
    };
    expect(lint(files)).toEqual([
      `lib/domain/webhooks/send.ts:1 ${name} opens outgoing connections; use lib/platform/net`,
    ]);
  });

  it.each([
    "import { isIP, isIPv4 } from 'node:net';",
    "import { createServer } from 'node:http';",
    "import type { Socket } from 'node:net';",
    'client.fetch();',
  ])('are not opened by %s', (text) => {
    expect(lint({ 'lib/schemas/targets.ts': text })).toEqual([]);
  });

  it('may be event streams in components, which run in browsers', () => {
    const text = "export const events = () => new EventSource('/events');";
    expect(lint({ 'components/shell/events.ts': text })).toEqual([]);
    expect(lint({ 'lib/web/http/events.ts': text })).toHaveLength(1);
  });
});

describe('the fault run', () => {
  const outside = {
    'lib/engine/health/health.ts': 'export type HealthReport = object;',
    'lib/env.ts': 'export const names = [];',
    'bench/playground/index.ts': 'export const log = 1;',
    'bench/seed.ts': 'export const seed = 1;',
    'bench/faults/run.ts': 'export const run = 1;',
  };

  it.each([
    ['a verb or its type', "import type { HealthReport } from '@/lib/engine/health/health';"],
    ['what builds on verbs', "import { seed } from '../seed';"],
  ])('does not know %s, not even in a test', (_, text) => {
    for (const path of ['bench/faults/world.ts', 'bench/faults/checker/world.test.ts']) {
      const [finding = '', ...others] = lint({ ...outside, [path]: text.replace("'../", "'@/bench/") });
      expect(finding).toContain(`${path}:1 bench/faults must not import `);
      expect(others).toEqual([]);
    }
  });

  it('may use what is listed for it', () => {
    const text = "import '@/lib/env';\nimport { log } from '../playground';\nexport const a = log;";
    expect(lint({ ...outside, 'bench/faults/world.ts': text })).toEqual([]);
  });

  it('is imported by nothing of the product, nor by its tests', () => {
    const text = "import '@/bench/faults/run';";
    const files = {
      ...outside,
      'lib/core/a.test.ts': text,
      'bin/testing/b.ts': text,
      'bench/c.test.ts': text,
    };
    expect(lint(files)).toEqual([
      'bin/testing/b.ts:1 only bench may import bench/faults',
      'lib/core/a.test.ts:1 only bench may import bench/faults',
    ]);
  });
});

describe('a literal that is spread into another', () => {
  const message = 'write the contents out instead of spreading a literal of them';

  it.each([
    ['an object', 'lib/core/a.ts', 'const b = 1;\nexport const a = { ...{ b, c: 2 }, d: 3 };'],
    ['an argument', 'lib/core/a.test.ts', 'const f = (_: object) => 0;\nf({ ...{ b: 1 } });'],
    ['an array', 'lib/core/a.ts', "export const a = [1, 2];\nexport const b = [...['c', 'd'], 'e'];"],
    ['an element', 'components/a.tsx', 'const page = 1;\nexport const a = <b {...{ page }} />;'],
  ])('is rejected in %s', (_, path, text) => {
    expect(lint({ [path]: text })).toEqual([`${path}:2 ${message}`]);
  });

  it.each([
    ['a value', 'export const f = (b: object) => ({ ...b });'],
    ['a condition', 'export const f = (b: number | null) => ({ ...(b !== null && { b }) });'],
    ['a result', 'export const f = (b: number) => [...[b, 1].map(String), b];'],
    ['a text', "export const text = '...{ b }';"],
  ])('is not %s', (_, text) => {
    expect(lint({ 'lib/core/a.ts': text })).toEqual([]);
  });
});

describe('a function', () => {
  const withLines = (count: number) => `export function f() {\n${'  g();\n'.repeat(count - 2)}}`;

  it('has at most 70 lines, in production code', () => {
    expect(lint({ 'lib/core/a.ts': withLines(70), 'lib/core/a.test.ts': withLines(71) })).toEqual([]);
    expect(lint({ 'lib/core/a.ts': withLines(71) })).toEqual([
      'lib/core/a.ts:1 has a function of 71 lines, more than 70: name its parts',
    ]);
  });

  it('is counted alone, also as a value and as a method', () => {
    const value = `export const a = () => {\n${'  g();\n'.repeat(70)}};`;
    const method = `export class A {\n  #a() {\n${'    g();\n'.repeat(70)}  }\n}`;
    const short = `export class A {\n${'  #a() {\n    g();\n  }\n'.repeat(30)}}`;
    expect(lint({ 'lib/core/a.ts': value })).toHaveLength(1);
    expect(lint({ 'lib/core/a.ts': method })).toHaveLength(1);
    expect(lint({ 'lib/core/a.ts': short })).toEqual([]);
  });
});

describe('the name of an exported type', () => {
  const declared = 'export type Visit = { at: Date };';

  it('has one home', () => {
    expect(
      lint({ 'lib/core/a.ts': declared, 'lib/core/b.ts': 'export interface Visit { by: string }' }),
    ).toEqual([
      'lib/core/b.ts:1 exports the type Visit, as lib/core/a.ts does: import it, or find a better name',
    ]);
  });

  it.each([
    ['is local', 'lib/core/b.ts', 'type Visit = { by: string };\nexport const visit = (by: Visit) => by;'],
    ['is passed on', 'lib/core/b.ts', "export type { Visit } from './a';"],
    ['belongs to a test', 'lib/core/testing/b.ts', declared],
    ['belongs to a package of its own', 'clients/b.ts', declared],
  ])('may repeat if it %s', (_, path, text) => {
    expect(lint({ 'lib/core/a.ts': declared, [path]: text })).toEqual([]);
  });
});

describe('cycles', () => {
  it('are rejected with their whole path', () => {
    const findings = lint({
      'lib/core/a.ts': "import './b';",
      'lib/core/b.ts': "export * from './c';",
      'lib/core/c.ts': "import '@/lib/core/b';",
    });
    expect(findings).toEqual(['lib/core/c.ts:1 import cycle: lib/core/b.ts → lib/core/c.ts → lib/core/b.ts']);
  });

  it.each(['lib/core', 'lib/core/testing', 'e2e/support', 'bench/pages'])(
    'are rejected through types too, in %s',
    (folder) => {
      const files = {
        [`${folder}/a.ts`]: "import { b } from './b';\nexport type A = typeof b;",
        [`${folder}/b.ts`]: "import type { A } from './a';\nexport const b = 1 as unknown as A;",
      };
      expect(lint(files)).toEqual([
        `${folder}/b.ts:1 import cycle: ${folder}/a.ts → ${folder}/b.ts → ${folder}/a.ts`,
      ]);
    },
  );
});

describe('modules of browsers', () => {
  const files = {
    'components/votes.tsx':
      "'use client';\nexport const VOTES = 1;\nexport function countVotes() {}\nexport function Votes() {}\nexport type Vote = string;",
    'components/section.tsx':
      "import { countVotes, Votes } from './votes';\nexport const Section = [countVotes, Votes];",
    'components/panel.tsx': "'use client';\nimport { VOTES } from './votes';\nexport const Panel = VOTES;",
  };
  const REASON =
    "from components/votes.tsx, which runs in browsers: move it to a module without 'use client'";

  it('give pages components and types only, however far away the import is', () => {
    const page =
      "import { type Vote, Votes, VOTES } from '@/components/votes';\nimport { Section } from '@/components/section';";
    expect(
      lint({ ...files, 'app/page.tsx': `${page}\nexport const page = [Votes, VOTES, Section];` }),
    ).toEqual([
      `app/page.tsx:1 takes VOTES ${REASON}`,
      `components/section.tsx:1 takes countVotes ${REASON}`,
    ]);
  });

  it('give each other anything', () => {
    const page = "import { Panel } from '@/components/panel';\nexport const page = Panel;";
    expect(lint({ ...files, 'app/page.tsx': page })).toEqual([]);
  });
});
