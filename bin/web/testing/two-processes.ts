import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { createApiClient } from '@/e2e/support/api-client';
import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { createDatabaseKeeper } from '@/lib/engine/checks/shards/database-store';
import { OK } from '@/lib/engine/testing/story';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { createTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startStoppableDatabase } from '@/lib/testing/stoppable-database';
import { waitFor } from '@/lib/testing/wait-for';
import { hashSource } from '../security-headers';
import { startWebProcess, type WebProcess } from './web-process';

/** Only the first process has metrics. */
export const METRICS_TOKEN = 'test-metrics-token';

/** The host in APP_URL. */
export const APP = 'pharos.test';

export type TwoProcesses = Awaited<ReturnType<typeof startTwoProcesses>>;
export type TwoProcessesAlone = Awaited<ReturnType<typeof startTwoProcessesAlone>>;

/** Two web processes on a PostgreSQL of their own, which a test can stop. */
export async function startTwoProcessesAlone(env: Record<string, string> = {}) {
  const database = await startStoppableDatabase();
  return { ...(await startTwoProcesses(env, database)), database };
}

/**
 * Two web processes on one database with an organization: `named` with APP_URL and without a proxy, `unnamed` without
 * APP_URL behind a proxy on this machine. `api` calls the latter. `env` are settings of both. `stop` also closes the database, by
 * default a new one.
 */
export async function startTwoProcesses(
  env: Record<string, string> = {},
  given?: { url: string; close(): Promise<void> },
) {
  const database = given ?? (await createTestDatabase());
  const db = createDatabase(database.url, { poolSize: 4, name: 'pharos tests' });
  const own = await createTestOrganization(createTestServices({ db }));
  await ensureResultPartitions(db, new Date());
  const shared = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'warn', ...env };
  // The first one builds, if anything is out of date.
  const named = await startWebProcess({ ...shared, APP_URL: `http://${APP}`, METRICS_TOKEN });
  const unnamed = await startWebProcess({ ...shared, TRUSTED_PROXIES: '127.0.0.1' });
  const api = createApiClient(unnamed.url, own.apiKey);
  const everywhere = [
    { web: named, host: APP },
    { web: unnamed, host: 'localhost' },
  ];

  /** A published page with a monitor that is operational, cached by both processes. */
  const addPage = async () => {
    const slug = `page-${randomBytes(6).toString('hex')}`;
    const { body: monitor } = await api('POST', '/monitors', {
      name: 'Shop',
      url: 'http://127.0.0.1:9/',
      regions: ['us-east'],
      alertThreshold: 1,
    });
    const input = { name: 'Acme', slug, monitors: [monitor.id], published: true };
    const { body: page } = await api('POST', '/status-pages', input);
    await record(db, monitor.id, OK);
    for (const { web, host } of everywhere) {
      const isShown = async () => expect((await readPage(web, host, slug)).status).toBe('operational');
      await waitFor(isShown);
    }
    return { slug, id: page.id as string, monitorId: monitor.id as string };
  };
  const stop = async () => {
    await Promise.all([named.stop(), unnamed.stop()]);
    await db.$disconnect();
    await database.close();
  };
  return { db, own, named, unnamed, api, everywhere, addPage, stop };
}

/** The path of the JSON of a page. */
export const pathOf = (slug: string) => `/api/status-pages/public?slug=${slug}`;

/** The JSON of a page, as a process shows it. */
export async function readPage(web: WebProcess, host: string, slug: string) {
  const { body } = await web.get(pathOf(slug), { host });
  return JSON.parse(body);
}

/** The lines of the access log of a process about a path. */
export function logLinesAbout(web: WebProcess, path: string): Record<string, unknown>[] {
  const lines = web.logs().split('\n');
  return lines.filter((line) => line.includes(`"path":"${path}"`)).map((line) => JSON.parse(line));
}

/** Records a check as a worker would, in a process that is neither of the two. */
export async function record(db: Database, monitorId: string, result: typeof OK): Promise<void> {
  const services = createTestServices({ db });
  await db.probeSchedule.updateMany({ where: { monitorId }, data: { nextCheckAt: new Date() } });
  const log = createLogger('silent', 'test');
  const runner = { region: 'us-east', workerId: createId('worker') };
  const keeper = createDatabaseKeeper(services, runner, { log });
  await keeper.sync();
  const taken = keeper.takeDue(1000).filter(({ monitor }) => monitor.id === monitorId);
  expect(taken).toHaveLength(1);
  const startedAt = systemClock.now();
  await recordResults(
    services,
    taken.map((check) => ({ check, startedAt, result })),
  );
  await keeper.release();
}

/** The scripts of a page that its own Content-Security-Policy does not let run: by its nonce, or by their hash or as files of the service. */
export function listBlockedScripts(response: { headers: IncomingHttpHeaders; body: string }): string[] {
  const { headers, body } = response;
  const policy = String(headers['content-security-policy']);
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? null;
  const scripts = [...body.matchAll(/(<script[^>]*>)(.*?)<\/script>/gs)];
  expect(scripts.length).toBeGreaterThan(0);
  const runs = (tag: string, text: string) => {
    if (nonce !== null) return tag.includes(`nonce="${nonce}"`);
    return / src="\/_next\//.test(tag)
      ? policy.includes("script-src 'self'")
      : policy.includes(hashSource(text));
  };
  return scripts.flatMap(([, tag = '', text = '']) => (runs(tag, text) ? [] : [tag]));
}
