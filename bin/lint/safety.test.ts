import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { AUDITED_ACTIONS } from '@/lib/schemas/audit';
import { WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import { readSourceFiles } from './source-files.mjs';
import { isTestCode } from './zones.mjs';

// Rules that lint cannot express. Others are next to their subject: access to process.env in process-env.test.ts, parsing
// of action arguments in app/server-actions.test.ts, routes in the OpenAPI document in app/api/openapi.json/openapi.test.ts,
// and the direction of imports in lint-sources.test.ts.

const root = fileURLToPath(new URL('../..', import.meta.url));
const isTest = (path: string) => /\.(test|spec)\.tsx?$|\/testing\//.test(path);
const sources = [...readSourceFiles(root)].filter(([path]) => !isTest(path));
const TABLES = [
  ...readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8').matchAll(
    /@@map\("(\w+)"\)/g,
  ),
].map(([, name]) => name);

/** Every match of a pattern, with its file. */
function find(pattern: RegExp): string[] {
  return sources.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.replace(/\s+/g, ' ')}`),
  );
}

/** Of more than 120 columns, and more than a comment of TypeScript. */
const WIDE_LINE = /^(?!\s*(\*|\/[*/])).{121}/u;
const SQL_TAG = /(^|\.)(sql|\$queryRaw|\$executeRaw)$/;
const SQL_VERB =
  /^[\s(]*(WITH|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|SET|COPY|TRUNCATE|EXPLAIN|ANALYZE|REINDEX)\s/;
/** Parses only files with one of these: everything that either of the others finds. */
const SQL_SUSPECT = new RegExp(`\\b(sql|queryRaw|executeRaw)\\b|['"\`]${SQL_VERB.source.slice(1)}`);

/** The lines of statements and parts of them, in templates or other strings, that have more than 120 columns: `path:line`. */
function findWideSql(path: string, text: string): string[] {
  const lines = text.split('\n');
  const wide = lines.flatMap((line, index) => (WIDE_LINE.test(line) ? [index + 1] : []));
  if (wide.length === 0 || !SQL_SUSPECT.test(text)) return [];
  const found = new Set<number>();
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const note = ({ start, end }: Node) => {
    const first = lineOf(start);
    const last = lineOf(end);
    for (const line of wide) if (line >= first && line <= last) found.add(line);
  };
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (SQL_TAG.test(text.slice(tag.start, tag.end))) note(quasi);
    },
    TemplateLiteral: (literal) => {
      if (SQL_VERB.test(text.slice(literal.start + 1, literal.end))) note(literal);
    },
    Literal: (literal) => {
      if (typeof literal.value === 'string' && SQL_VERB.test(literal.value)) note(literal);
    },
  }).visit(parseSync(path, text).program);
  return [...found].map((line) => `${path}:${line}`);
}

describe('SQL', () => {
  it('has at most 120 columns, as the formatter leaves it alone: a reviewer sees each clause without scrolling', () => {
    const product = sources.filter(([path]) => !isTestCode(path));
    expect(product.length).toBeGreaterThan(1000);
    expect(product.flatMap(([path, text]) => findWideSql(path, text))).toEqual([]);
  });

  it.each([
    ['a statement', (sql: string) => `const rows = await db.$queryRaw<Row[]>\`\n${sql}\`;`],
    ['a part of one', (sql: string) => `const own = Prisma.sql\`\n${sql.replace('SELECT', '')}\`;`],
    ['a part within a part', (sql: string) => `const own = sql\`WHERE \${on ? sql\`\n${sql}\` : none}\`;`],
    ['a statement without a tag', (sql: string) => `const { rows } = await client.query(\n\`${sql}\`);`],
    ['a statement in quotes', (sql: string) => `const { rows } = await client.query(\n'${sql}');`],
    ['a subquery', (sql: string) => `const nameOf = () =>\n\`(${sql})\`;`],
  ])('is found where a line is too wide: %s', (_, write) => {
    const wide = `SELECT ${'id, '.repeat(30)}name FROM monitor`;
    expect(findWideSql('a.ts', write(wide))).toEqual(['a.ts:2']);
    expect(findWideSql('a.ts', write(wide.replaceAll(', ', ',\n       ')))).toEqual([]);
  });

  it('may be wide in texts that are not SQL', () => {
    const text = 'Select what is due, delete the rest. '.repeat(5);
    expect(findWideSql('a.ts', `throw new Error(\`${text}\`, { cause: '${text}' }); // SELECT`)).toEqual([]);
  });

  it('names the columns it reads: a column added by a migration must not reach clients or slow down queries', () => {
    // The statement around LATERAL chooses the columns.
    const wide = new RegExp(`(?<!LATERAL \\(\\s*)SELECT \\*\\s+FROM (raw\\.)?(${TABLES.join('|')})\\b`, 'g');
    expect(find(wide)).toEqual([]);
  });

  it('names the columns it writes: a column added or moved by a migration must not get the value of another', () => {
    expect(find(/INSERT INTO\s+[\w."]+(\s+AS \w+)?\s+(VALUES|SELECT)\b/g)).toEqual([]);
  });

  it('writes deliveries in one place: nobody else decides who hears what', () => {
    expect(find(/INSERT INTO\s+delivery\b|\.delivery\.create\w*/g)).toEqual([
      // The test of an endpoint is no event.
      'lib/domain/webhooks/resend-deliveries.ts: .delivery.create',
      'lib/notify/write-plan.ts: INSERT INTO delivery',
    ]);
  });
});

it('only files of check types compare with the name of a type: no other file can miss a new type', () => {
  const name = `'(${MONITOR_TYPES.join('|')})'`;
  const compared = find(new RegExp(`([!=]==|case) ${name}|${name} [!=]==`, 'g'));
  // A kind of canary and the code of an error, not check types.
  const known = [
    "lib/platform/net/canary.ts: case 'ping'",
    "lib/state/announcements/stories/story-causes.ts: === 'dns'",
  ];
  // In the folders of other products, these are the names of their types.
  const foreign =
    /^lib\/(checks|importing\/(better-stack|gatus|openstatus|prometheus|upptime|uptime-kuma|uptimerobot))\//;
  expect(compared.filter((found) => !foreign.test(found))).toEqual(known);
});

it('only files of webhook formats name one: no other file can miss a new format', () => {
  // Words that mean more than a format; these are only compared.
  const words = ['standard', 'custom'];
  const all = WEBHOOK_FORMATS.join('|');
  const products = WEBHOOK_FORMATS.filter((name) => !words.includes(name)).join('|');
  const compared = `([!=]==|case) '(${all})'|'(${all})' [!=]==|FORMATS\\.(${all})`;
  const named = find(new RegExp(`${compared}|['"\`](${products})['"\`]|\\b(${products})(?=:\\s)`, 'g'));
  // Slack is also a channel of subscribers, and Zod has custom issues.
  const others =
    /^(lib\/webhook-formats|lib\/domain\/subscribers|lib\/schemas\/status-pages|components\/(page-editor|status-page)|app\/status)\//;
  expect(named.filter((found) => !others.test(found))).toEqual([
    "lib/schemas/validation.ts: === 'custom'",
    "lib/schemas/validation.ts: === 'custom'",
  ]);
});

it('texts have durations by formatDuration or formatTiming: no other file puts a unit after a number', () => {
  const written = find(/\} ?(ms|s|sec|m|min|h|d)\b(?=[`'".,:;<)])|\d (s|m|h|d)(?=[`'"<)])/g);
  const other = written.filter((found) => /^(app|components|lib|bin\/(cli|remote))\//.test(found));
  expect(other.filter((found) => !found.startsWith('lib/core/time/duration.ts'))).toEqual([
    // Plurals.
    'lib/importing/plan/sentences.ts: }s',
    // 5001 ms are slower than 5000 ms, and must look so.
    'lib/state/explain.ts: } ms',
    'lib/state/explain.ts: } ms',
    'lib/web/auth/password-throttle.ts: }s',
  ]);
});

/** First words of commands, as the command line registers them. */
const COMMANDS = [
  ...(sources.find(([path]) => path === 'bin/cli/run-command.ts')?.[1] ?? '').matchAll(
    /^ {2}\['([a-z-]+)'/gm,
  ),
].map(([, name]) => name);

/** Texts that name a command as if `pharos` were a program of every machine. */
function findBareCommands(path: string, text: string): string[] {
  const bare = new RegExp(`(?<![\\w/.@-])pharos (${COMMANDS.join('|')})\\b`);
  if (!bare.test(text)) return [];
  const found: string[] = [];
  const note = (words: string) => {
    const [command] = bare.exec(words) ?? [];
    if (command) found.push(`${path}: ${command}`);
  };
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') note(value);
    },
    TemplateElement: ({ value }) => note(value.raw),
    JSXText: ({ value }) => note(value),
  }).visit(parseSync(path, text).program);
  return found;
}

it('URLs are parsed by parseUrl: URL.canParse is wrong about Latin-1 once it is compiled', () => {
  // Settings import nothing, and are read once.
  const isAllowed = (found: string) => /^lib\/(setting-values|core\/parse-url)\.ts:/.test(found);
  expect(find(/\bcanParse\b/g).filter((found) => !isAllowed(found))).toEqual([]);
});

it('commands are printed by formatCommand, which knows how they are run in this installation', () => {
  expect(COMMANDS.length).toBeGreaterThan(20);
  expect(findBareCommands('a.tsx', '<code>npx pharos setup-link</code>')).toEqual([
    'a.tsx: pharos setup-link',
  ]);
  expect(findBareCommands('a.ts', '`run "pharos login"`; // pharos login')).toEqual(['a.ts: pharos login']);
  const product = sources.filter(([path]) => !isTestCode(path));
  const known = [
    'bin/cli/prepare.ts: pharos start',
    'bin/cli/web.ts: pharos web',
    'bin/doctor/examine.ts: pharos doctor',
    'bin/doctor/inspect-database.ts: pharos doctor',
    'inngest/run-worker.ts: pharos worker',
    // Of a key.
    'lib/platform/backup/archive/passphrase.ts: pharos backup',
    'lib/platform/backup/restore/empty-target.ts: pharos backup',
    'lib/platform/backup/snapshot/connect.ts: pharos backup',
    'lib/platform/db/locks/lock-attempts.ts: pharos migrate',
    'lib/platform/db/migrate.ts: pharos migrate',
    'lib/web/http/server-services.ts: pharos web',
  ];
  // The names of database connections, which the operator sees in PostgreSQL, are like those of commands.
  expect(product.flatMap(([path, text]) => findBareCommands(path, text))).toEqual(known);
});

it('the filter of the audit log offers exactly the actions that are recorded', () => {
  const recorded = sources
    .filter(([, text]) => /\b(record(Audits?|ForPerson)|draftAudit)\(/.test(text))
    .flatMap(([, text]) => [...text.matchAll(/\baction: '([a-z-]+\.[a-z-]+)'/g)].map(([, name]) => name));
  expect([...new Set(recorded)].sort()).toEqual([...AUDITED_ACTIONS].sort());
});
