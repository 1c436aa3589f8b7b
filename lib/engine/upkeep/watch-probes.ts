import type { Logger } from '@/lib/core/logger';
import { poll } from '@/lib/core/time/poll';
import type { Services } from '@/lib/domain/context/services';
import { type NewNotice, writeNotices } from '@/lib/notify/notices';
import { notify } from '@/lib/platform/db/listen';

/** Admins are notified of a probe that did not report for this long. */
const NOTIFY_AFTER_MS = 300_000;
const EVERY_MS = 15_000;
/** Probes per poll; the rest follows at the next. */
const BATCH = 1000;

type Watched = { organizationId: string; region: string; regionName: string; host: string; since: Date };

/** Polls every 15 seconds for probes of own regions that went silent or are back; runs in workers with all duties. */
export function watchProbes(services: Services, log: Logger): { stop(): Promise<void> } {
  let suspected: readonly string[] = [];
  const look = async () => {
    suspected = await followProbes(services, suspected);
  };
  const onError = (error: unknown) => {
    // Nobody could report while the database was unavailable.
    suspected = [];
    log.error({ work: 'silent probes', err: error }, 'could not look for silent probes; retrying in 15s');
  };
  return poll(look, { everyMs: EVERY_MS, onError });
}

/**
 * One poll: has the admins of an organization notified of its probes that did not report for five minutes, though they did not announce
 * that they stop and their tokens are valid, and once they are back; once each, whichever worker notices. Returns the IDs of those that
 * look silent. Only those in `suspected` count, which looked so at the previous poll: after an outage of the service, probes get until
 * the next one to report.
 */
export async function followProbes(services: Services, suspected: readonly string[]): Promise<string[]> {
  const silent = await findSilent(services);
  await services.db.$transaction(async (tx) => {
    const now = services.clock.now();
    const ids = silent.filter((id) => suspected.includes(id));
    const opened = await tx.$queryRaw<Watched[]>`
      UPDATE probe SET silent_since = seen_at FROM region
       WHERE region.id = probe.region AND probe.id = ANY(${ids}::text[])
         AND silent_since IS NULL AND seen_at <= ${new Date(now.getTime() - NOTIFY_AFTER_MS)}
      RETURNING organization_id AS "organizationId", region.id AS region, region.name AS "regionName",
                host, seen_at AS since`;
    const closed = await tx.$queryRaw<Watched[]>`
      WITH back AS (
        SELECT id, silent_since FROM probe
         WHERE silent_since IS NOT NULL AND seen_at > silent_since
         ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE probe SET silent_since = NULL FROM back, region
       WHERE probe.id = back.id AND region.id = probe.region
      RETURNING organization_id AS "organizationId", region.id AS region, region.name AS "regionName",
                host, back.silent_since AS since`;
    const notices = [...opened.map(toSilence), ...closed.map((probe) => toReturn(probe, now))];
    if (notices.length === 0) return;
    await writeNotices(tx, services.mail, notices);
    await notify(tx, 'pharos_mail');
  });
  return silent;
}

/** The IDs of the probes of own regions that were not heard of for too long, and whose silence means something. */
async function findSilent({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<string[]> {
  const now = clock.now();
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT probe.id FROM probe
      JOIN probe_token AS token ON token.id = probe.token_id
      JOIN region ON region.id = probe.region AND region.deleted_at IS NULL
     WHERE silent_since IS NULL AND NOT is_leaving AND seen_at <= ${new Date(now.getTime() - NOTIFY_AFTER_MS)}
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
     ORDER BY probe.id LIMIT ${BATCH}`;
  return rows.map(({ id }) => id);
}

/** Dated to its start, so that it is sent without further gathering. */
function toSilence(probe: Watched): NewNotice {
  return { ...aboutProbe(probe), kind: 'probe.silent', downtime: null, occurredAt: probe.since };
}

function toReturn(probe: Watched, now: Date): NewNotice {
  const downtime = Math.max(0, Math.round((now.getTime() - probe.since.getTime()) / 1000));
  return { ...aboutProbe(probe), kind: 'probe.back', downtime, occurredAt: now };
}

/** By its host: a probe that was restarted is the same to people. */
function aboutProbe({ organizationId, region, regionName, host }: Watched) {
  return {
    organizationId,
    subjectId: `${region}/${host}`,
    subjectName: host,
    incidentId: null,
    error: null,
    regionName,
  };
}
