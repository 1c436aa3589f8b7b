import type { Services } from '@/lib/domain/context/services';
import { recordPresence } from '@/lib/domain/monitors/silence';
import type { Input } from '@/lib/engine/remote/protocol';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { RemoteRunner } from './services';

/** As often as a worker writes its heartbeat. */
const EVERY_MS = 3000;
/** As many probes are remembered of a token: those seen last. */
const MAX_PROBES = 50;

type Report = Pick<
  Input<'beat'>,
  'machine' | 'startedAt' | 'cutOffAt' | 'network' | 'pendingMs' | 'statistics'
>;

/**
 * Records that a probe is alive and serves its region, like the heartbeat of a worker, and what it reports of itself; at most every three
 * seconds, in one statement, which otherwise does nothing.
 *
 * A probe that began on the same machine after another was last seen is that one, restarted, and takes its place. A host keeps its name
 * when it boots, and containers on a host have other names.
 */
export async function notePresence(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { region, workerId: id, tokenId, address }: RemoteRunner,
  { machine: { id: machine, host }, startedAt: startedMs, cutOffAt, network, pendingMs, statistics }: Report,
): Promise<void> {
  const seenAt = clock.now();
  const before = new Date(seenAt.getTime() - EVERY_MS);
  const startedAt = new Date(startedMs);
  const cutOff = cutOffAt === null ? null : new Date(cutOffAt);
  const { dropped = 0, silentCanaryAt = null } = network ?? {};
  const silentCanary = silentCanaryAt === null ? null : new Date(silentCanaryAt);
  const pendingSince = pendingMs === null ? null : new Date(seenAt.getTime() - pendingMs);
  const { version = null, checksPerSecond = null, latenessMs = null, backlog = null } = statistics ?? {};
  const [row] = await db.$queryRaw<[{ isNoted: boolean }]>`
    WITH noted AS (
      INSERT INTO worker (id, regions, duties, host, machine, started_at, seen_at, cut_off_at, pending_since,
                          dropped_results, silent_canary_at)
      VALUES (${id}, ${[region]}::text[], 'probe', ${host}, ${machine}, ${startedAt}, ${seenAt}, ${cutOff},
              ${pendingSince}, ${dropped}::int, ${silentCanary})
          ON CONFLICT (id) DO UPDATE
         SET seen_at = excluded.seen_at, cut_off_at = excluded.cut_off_at, pending_since = excluded.pending_since,
             dropped_results = excluded.dropped_results, silent_canary_at = excluded.silent_canary_at
       WHERE worker.seen_at <= ${before}
      RETURNING 1
    ), replaced AS (
      DELETE FROM probe
       WHERE EXISTS (SELECT FROM noted)
         AND region = ${region}
         AND id <> ${id}
         AND (((machine = ${machine} OR host = ${host}) AND seen_at <= ${startedAt})
              OR id IN (SELECT id
                          FROM probe
                         WHERE token_id = ${tokenId} AND id <> ${id}
                         ORDER BY seen_at DESC
                        OFFSET ${MAX_PROBES - 1}))
      RETURNING silent_since
    ), stored AS (
      INSERT INTO probe (id, token_id, region, host, machine, address, started_at, seen_at,
                         version, checks_per_second, lateness_ms, backlog, silent_since)
      SELECT ${id}, ${tokenId}, ${region}, ${host}, ${machine}, ${address}, ${startedAt}, ${seenAt},
             ${version}, ${checksPerSecond}::float8, ${latenessMs}::int, ${backlog}::int,
             (SELECT min(silent_since) FROM replaced)
        FROM noted
          ON CONFLICT (id) DO UPDATE
         SET address = excluded.address, seen_at = excluded.seen_at, checks_per_second = excluded.checks_per_second,
             lateness_ms = excluded.lateness_ms, backlog = excluded.backlog
      RETURNING region
    )
    SELECT EXISTS (SELECT FROM noted) AS "isNoted", (${hintOf(Prisma.sql`stored`)}) AS hints`;
  if (row.isNoted) await recordPresence({ db, clock }, { regions: [region], duties: 'probe' });
}

/** Records that a probe is about to stop: its silence means nothing from now on. */
export async function noteLeaving(
  { db }: Pick<Services, 'db'>,
  { workerId: id }: RemoteRunner,
): Promise<void> {
  await db.probe.updateMany({ where: { id }, data: { isLeaving: true } });
}

/** Removes a probe that stops. */
export async function forgetPresence(
  { db }: Pick<Services, 'db'>,
  { workerId: id }: RemoteRunner,
): Promise<void> {
  await db.worker.deleteMany({ where: { id } });
  await db.$queryRaw`
    WITH gone AS (DELETE FROM probe WHERE id = ${id} RETURNING region) ${hintOf(Prisma.sql`gone`)}`;
}

/** Has open dashboards of the organization refresh, if the region of `changed` is an own one. */
function hintOf(changed: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT count(pg_notify('pharos_live', 'probes ' || own.organization_id))::int AS hints
      FROM ${changed} JOIN region AS own ON own.id = ${changed}.region`;
}
