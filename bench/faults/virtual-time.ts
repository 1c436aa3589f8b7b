import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { root } from '../playground';

/**
 * The time of a run: it passes `factor` times as fast as real time, in every process under test and in their database, so
 * that intervals, timeouts, votes and retries of hours fit into a minute. Milliseconds since the epoch.
 */
export type VirtualTime = {
  factor: number;
  /** When it was equal to real time. */
  origin: number;
  now(): number;
  /** Starts the time of the plan, once everything runs. Returns the moment. */
  begin(): number;
  /** Milliseconds of the plan's time: 0 until `begin`. */
  elapsed(): number;
  /** Resolves when a moment of the plan's time has come. */
  waitUntilElapsed(ms: number): Promise<void>;
  /** Resolves when so many milliseconds have passed. */
  wait(ms: number): Promise<void>;
  /** Settings for a process under test; `controlFile` holds `jumpMs`, by how much its clock is off, and `isCutOff`. */
  environment(options: { source: string; controlFile: string }): Record<string, string>;
};

/** Starts a virtual time now. */
export function startVirtualTime(factor: number): VirtualTime {
  const origin = Date.now();
  const now = () => origin + (Date.now() - origin) * factor;
  let begun: number | null = null;
  const elapsed = () => (begun === null ? 0 : now() - begun);
  return {
    factor,
    origin,
    now,
    begin: () => {
      begun = now();
      return begun;
    },
    elapsed,
    waitUntilElapsed: (ms) => sleep(Math.max(0, (ms - elapsed()) / factor)),
    wait: (ms) => sleep(ms / factor),
    environment: ({ source, controlFile }) => {
      const url = pathToFileURL(join(root, 'bench', 'faults', 'virtual-process.mjs'));
      const settings = { factor: String(factor), origin: String(origin), control: controlFile, source };
      url.search = new URLSearchParams(settings).toString();
      return { NODE_OPTIONS: `--import=${url}` };
    },
  };
}

/** Makes the clock of a database virtual for every later connection: `clock_timestamp()` is found in a schema of the test. */
export async function makeDatabaseVirtual(url: string, { origin, factor }: VirtualTime): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const start = origin / 1000;
    await client.query(`
      CREATE SCHEMA virtual;
      CREATE FUNCTION virtual.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
        SELECT to_timestamp(${start} + (extract(epoch FROM pg_catalog.clock_timestamp()) - ${start}) * ${factor}) $$;
      DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET search_path = virtual, "$user", public, pg_catalog', current_database()); END $$`);
  } finally {
    await client.end();
  }
}

/** Lets a server keep the time of each commit, which tells the order of results. It restarts. */
export async function keepCommitTimes(database: {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('ALTER SYSTEM SET track_commit_timestamp = on');
  await client.end();
  await database.stop();
  await database.start();
}
