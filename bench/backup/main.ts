import { join } from 'node:path';
import { Client } from 'pg';
import { openWorld } from '../checks/world';
import {
  chooseOutput,
  conclude,
  count,
  findExceeded,
  formatPercentiles,
  type Limit,
  log,
  markdownTable,
  measureLateness,
  type Row,
  readCount,
  readOptions,
  today,
} from '../playground';
import { runCommand } from './run-command';
import { seedResults } from './seed-results';

const USAGE = `usage: node bench/run.mjs backup [options]
  --results N    check results to back up (10000000)
  --monitors N   monitors that are checked every 30 s meanwhile (2000)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
`;
const INTERVAL = 30;
const BEFORE_SECONDS = 30;
const SETTLE_SECONDS = 5;
const MAX_SECONDS_PER_RESULT = 120 / 10_000_000;
/** Of a few results: the command has to start, and derives its key. */
const MIN_LIMIT_SECONDS = 10;
/** Checks run during a backup; `latenessMs` is what they are held to. */
const LIMITS = { latenessMs: 2000, megabytes: 300 };

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const given = readOptions(words, USAGE, { results: text, monitors: text, out: text });
  const results = readCount('results', given.results ?? 10_000_000);
  const monitors = readCount('monitors', given.monitors ?? 2000);
  const maxSeconds = Math.max(MIN_LIMIT_SECONDS, results * MAX_SECONDS_PER_RESULT);
  const world = await openWorld({
    what: `${count(monitors)} http monitors every ${INTERVAL} s`,
    type: 'http',
    server: 'http',
    monitors,
    interval: INTERVAL,
    timeout: 5,
    hangingEvery: 0,
    urlOf: (number, port) => `http://127.0.0.1:${port}/service/${number}`,
  });
  const { db, clock } = world.services;
  log(`adding ${count(results)} results`);
  await seedResults(db, results, clock.now());
  await world.wait(BEFORE_SECONDS, 'before the backup');
  const before = await measureLateness(
    db,
    new Date(clock.now().getTime() - BEFORE_SECONDS * 1000),
    new Date(clock.now().getTime() - SETTLE_SECONDS * 1000),
  );

  log('backing up');
  const settings = { ...world.environment, BACKUP_PASSPHRASE: 'a passphrase for benchmarks' };
  const file = join(world.directory, 'bench.backup');
  const from = clock.now();
  const backup = await runCommand(['backup', file], settings);
  const until = clock.now();
  await world.wait(SETTLE_SECONDS, 'waiting for results');
  const during = await measureLateness(db, from, until);
  const megabytes = Number(backup.output.bytes) / 1e6;
  log(`  ${backup.seconds.toFixed(1)} s, ${count(megabytes)} MB, lateness ${formatPercentiles(during)}`);

  log('verifying and restoring');
  const verify = await runCommand(['restore', file, '--verify'], settings);
  const restore = await runCommand(['restore', file], {
    ...settings,
    DATABASE_URL: await createDatabase(world.environment.DATABASE_URL),
  });
  await world.close();

  const limits: Limit[] = [
    { name: 'backup, seconds', value: backup.seconds, atMost: maxSeconds },
    { name: 'lateness p99 during the backup', value: during.p99, atMost: LIMITS.latenessMs },
    { name: 'slots skipped during the backup', value: during.missed, atMost: 0 },
    { name: 'resident memory of the backup, MB', value: backup.maxResident / 1e6, atMost: LIMITS.megabytes },
  ];
  const rows: Row[] = [
    ['backup', `${backup.seconds.toFixed(1)} s`, `${count(maxSeconds)} s`],
    ['rows, all tables', count(Number(backup.output.rows)), ''],
    ['size of the file', `${count(megabytes)} MB`, ''],
    ['CPU of the backup process', `${(backup.cpuMs / 1000).toFixed(1)} s`, ''],
    ['maximum resident memory', `${count(backup.maxResident / 1e6)} MB`, `${LIMITS.megabytes} MB`],
    ['lateness before, p50 / p95 / p99 / max', formatPercentiles(before), ''],
    [
      'lateness during, p50 / p95 / p99 / max',
      formatPercentiles(during),
      `p99 ${count(LIMITS.latenessMs)} ms`,
    ],
    ['slots during the backup, skipped', `${count(during.slots)}, ${during.missed}`, 'none skipped'],
    ['`restore --verify`', `${verify.seconds.toFixed(1)} s`, ''],
    ['restore into an empty database, compared', `${restore.seconds.toFixed(1)} s`, ''],
    ['maximum resident memory of the restore', `${count(restore.maxResident / 1e6)} MB`, ''],
  ];
  return conclude({
    name: 'backup',
    markdown: formatMarkdown(rows, { results, monitors }),
    out: chooseOutput(given.out, words),
    broken: findExceeded(limits),
  });
}

/** An empty database on the same server. */
async function createDatabase(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE restored');
  await client.end();
  const restored = new URL(url);
  restored.pathname = '/restored';
  return restored.href;
}

function formatMarkdown(rows: Row[], { results, monitors }: { results: number; monitors: number }): string {
  return `# Backup

\`node bench/run.mjs backup\`, measured on ${today()}: one embedded PostgreSQL with its default, durable settings, ${count(results)} results
of 30 days, and one worker that checks ${count(monitors)} monitors every ${INTERVAL} s. \`pharos backup\` runs next to it, encrypted, then
\`pharos restore\` into an empty database on the same server, while the worker continues. The machine has two cores for all of these processes and was
not idle.

${markdownTable(['', 'measured', 'limit'], rows)}
`;
}
