import { Gauge, type Registry } from 'prom-client';
import type { Services } from '@/lib/domain/context/services';
import type { Health } from '@/lib/engine/health/health';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';
import { UNNUMBERED_MIGRATIONS } from '@/lib/platform/db/unnumbered-migrations';

/** A scrape takes a fraction of a second. */
const MAX_COUNTED = 100_000;
/** Monitors that METRICS_MONITORS shows one by one. */
const MAX_MONITORS = 10_000;

/** Where the metrics come from. */
export type ServiceSource = {
  services: Pick<Services, 'db' | 'clock'>;
  health: Pick<Health, 'read'>;
  /** METRICS_MONITORS: whether each monitor has metrics of its own. */
  hasMonitors: boolean;
  /** The names of the migrations of this version. Those before the first release are not counted. */
  migrations: readonly string[];
  /** More of anything is counted as this many: what is waiting can be millions of rows. */
  maxCounted?: number;
};

const MONITOR_LABELS = ['id', 'name', 'organization'];
const SEVERITY = { ok: 0, degraded: 1, down: 2 } as const;

/**
 * Registers what the whole service is like, and returns what reads it from the database and from health. Every web process tells the
 * same. While the database is unavailable, only health remains.
 */
export function registerServiceMetrics(
  registry: Registry,
  { services, health, hasMonitors, migrations: own, maxCounted = MAX_COUNTED }: ServiceSource,
): () => Promise<void> {
  const define = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const monitors = define('pharos_monitors', 'Monitors by status; paused ones are not checked', ['status']);
  const incidents = define('pharos_incidents_open', 'Open incidents');
  const deliveries = define(
    'pharos_deliveries_pending',
    'Deliveries that are not over: new, or to be retried',
    ['state'],
  );
  const waiting = define('pharos_delivery_wait_seconds', 'How long ago the oldest due delivery was due');
  const endpoints = define(
    'pharos_endpoints',
    'Webhook endpoints: enabled, disabled by a person or automatically',
    ['state'],
  );
  const mails = define('pharos_mails_pending', 'Emails that are not sent yet');
  const migrations = define(
    'pharos_migrations',
    'Migrations of the database: applied, pending, or unknown to this version because a newer one applied them',
    ['state'],
  );
  const up = define(
    'pharos_monitor_up',
    '1: operational or degraded, 0: down; paused and new monitors have none',
    MONITOR_LABELS,
  );
  const response = define(
    'pharos_monitor_response_seconds',
    'The last response time of a monitor',
    MONITOR_LABELS,
  );
  const readable = define('pharos_database_up', '1 if the database responded');
  const parts = define('pharos_health', 'Health of each part of the service: 0 ok, 1 degraded, 2 down', [
    'part',
  ]);
  const all = [monitors, incidents, deliveries, waiting, endpoints, mails, migrations, up, response, parts];
  return async () => {
    const report = await health.read();
    const counts = await readCounts(services, maxCounted).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return null;
      throw error;
    });
    const shown = counts !== null && hasMonitors ? await readMonitors(services) : [];
    for (const gauge of all) gauge.reset();
    readable.set(counts === null ? 0 : 1);
    for (const { name, status } of report.parts) parts.set({ part: name }, SEVERITY[status]);
    if (counts === null) return;
    for (const [status, count] of Object.entries(counts.monitors)) monitors.set({ status }, count);
    for (const [state, count] of Object.entries(counts.endpoints)) endpoints.set({ state }, count);
    for (const [state, count] of Object.entries(counts.deliveries)) deliveries.set({ state }, count);
    const applied = counts.migrations.filter((name) => !UNNUMBERED_MIGRATIONS.includes(name));
    migrations.set({ state: 'applied' }, applied.length);
    migrations.set({ state: 'pending' }, own.filter((name) => !applied.includes(name)).length);
    migrations.set({ state: 'unknown' }, applied.filter((name) => !own.includes(name)).length);
    incidents.set(counts.incidents);
    waiting.set(counts.deliverySeconds);
    mails.set(counts.mails);
    for (const { status, responseTime, ...labels } of shown) {
      up.set(labels, status === 'down' ? 0 : 1);
      if (responseTime !== null) response.set(labels, responseTime / 1000);
    }
  };
}

type Counts = {
  monitors: Record<string, number>;
  endpoints: Record<string, number>;
  incidents: number;
  deliveries: Record<string, number>;
  deliverySeconds: number;
  mails: number;
  migrations: string[];
};

/** Reads all counts in one statement; each backlog is counted to a limit. */
async function readCounts({ db, clock }: ServiceSource['services'], maxCounted: number): Promise<Counts> {
  const now = clock.now();
  const [row] = await db.$queryRaw<Counts[]>`
    SELECT (SELECT coalesce(json_object_agg(status, count), '{}') FROM (
             SELECT CASE WHEN enabled THEN state.status::text ELSE 'paused' END AS status, count(*)::int AS count
               FROM monitor JOIN monitor_state AS state ON state.monitor_id = monitor.id
              GROUP BY 1) AS each) AS monitors,
           (SELECT coalesce(json_object_agg(state, count), '{}') FROM (
             SELECT CASE WHEN enabled THEN 'enabled' WHEN auto_disabled_at IS NULL THEN 'disabled'
                         ELSE 'auto_disabled' END AS state,
                    count(*)::int AS count FROM webhook_endpoint GROUP BY 1) AS each) AS endpoints,
           (SELECT count(*)::int
              FROM (SELECT FROM incident WHERE resolved_at IS NULL LIMIT ${maxCounted}) AS open) AS incidents,
           (SELECT json_build_object('new', count(*) FILTER (WHERE failures = 0),
                                     'retrying', count(*) FILTER (WHERE failures > 0))
              FROM (SELECT failures FROM delivery WHERE status = 'pending' LIMIT ${maxCounted}) AS pending)
             AS deliveries,
           coalesce((SELECT greatest(extract(epoch FROM ${now}::timestamptz - min(next_attempt_at)), 0)::float
              FROM delivery WHERE status = 'pending'), 0) AS "deliverySeconds",
           (SELECT coalesce(array_agg(migration_name), '{}') FROM _prisma_migrations
             WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migrations,
           (SELECT count(*)::int
              FROM (SELECT FROM mail WHERE next_attempt_at IS NOT NULL LIMIT ${maxCounted}) AS mail) AS mails`;
  if (!row) throw new Error('a statement without FROM returns one row');
  return row;
}

type MonitorRow = {
  id: string;
  name: string;
  organization: string;
  status: string;
  responseTime: number | null;
};

function readMonitors({ db }: ServiceSource['services']): Promise<MonitorRow[]> {
  return db.$queryRaw<MonitorRow[]>`
    SELECT monitor.id, name, organization_id AS organization, state.status::text AS status,
           state.last_response_time AS "responseTime"
      FROM monitor JOIN monitor_state AS state ON state.monitor_id = monitor.id
     WHERE enabled AND state.status <> 'pending' ORDER BY monitor.id LIMIT ${MAX_MONITORS}`;
}
