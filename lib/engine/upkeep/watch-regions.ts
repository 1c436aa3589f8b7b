import type { Logger } from '@/lib/core/logger';
import { poll } from '@/lib/core/time/poll';
import type { Services } from '@/lib/domain/context/services';
import { IS_PROBED, lastCheckIn } from '@/lib/domain/monitors/last-checks';
import { readRegionPresence, resultAtIn } from '@/lib/domain/monitors/silence';
import { REGIONS_IN_USE } from '@/lib/engine/checks/shards/leases';
import { tickUnservedMonitors } from '@/lib/engine/checks/tick-monitors';
import { type NewNotice, writeNotices } from '@/lib/notify/notices';
import { type NameRegion, readRegionNames } from '@/lib/notify/region-names';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { isUnserved } from '@/lib/state/silence';

/** Members are notified after this long without a worker. */
const NOTIFY_AFTER_MS = 120_000;

type Opened = {
  organizationId: string;
  region: string;
  since: Date;
  /** How many monitors are checked from there, and how many of them from nowhere else. */
  monitors: number;
  withoutData: number;
};

/** When each region was last served, if ever. */
export type RegionPresence = ReadonlyMap<string, Date>;

const EVERY_MS = 5000;
/** Batches of monitors per poll; the rest follows at the next. */
const MAX_BATCHES = 200;

/**
 * Polls every five seconds for regions without a worker; runs in workers with all duties. `presence` is from
 * before the process started serving its own regions, so that a silence that just ended is not missed.
 */
export function watchRegions(
  services: Services,
  { presence, log }: { presence: RegionPresence; log: Logger },
): { stop(): Promise<void> } {
  let before: RegionPresence | undefined = presence;
  let suspected: readonly string[] | undefined;
  const look = async () => {
    const seen = before;
    before = undefined;
    suspected = await followRegions(services, { presence: seen, suspected });
  };
  const onError = (error: unknown) =>
    log.error(
      { work: 'region outages', err: error },
      'could not look for regions without a worker; retrying in 5s',
    );
  return poll(look, { firstMs: 0, everyMs: EVERY_MS, onError });
}

/**
 * One poll: handles regions without a worker, and those that have one again. Returns the regions that looked unserved. With
 * `suspected`, the regions that did so at the previous poll, only those count: when the database was unavailable, no worker
 * could send a heartbeat, and all of them do so before the next poll.
 */
export async function followRegions(
  services: Services,
  { presence: seen, suspected }: { presence?: RegionPresence; suspected?: readonly string[] } = {},
): Promise<string[]> {
  const presence = seen ?? (await readRegionPresence(services));
  const now = services.clock.now().getTime();
  const regions = await listRegionsInUse(services);
  const silent = regions.filter((region) => isUnserved(presence.get(region)?.getTime() ?? null, now));
  const unserved = suspected ? silent.filter((region) => suspected.includes(region)) : silent;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if ((await tickUnservedMonitors(services, unserved)) === 0) break;
  }
  await openRegionOutages(services, unserved, presence);
  await closeRegionOutages(services, silent);
  return silent;
}

async function listRegionsInUse({ db }: Pick<Services, 'db'>): Promise<string[]> {
  const rows = await db.$queryRaw<{ region: string }[]>(REGIONS_IN_USE);
  return rows.map(({ region }) => region);
}

/**
 * Notifies the members of every organization with monitors in a region that has had no worker for two
 * minutes. The outage is a row, so that only one notification is sent regardless of the number of workers. A
 * region that never had a worker counts from when the first monitor was set up there.
 */
async function openRegionOutages(services: Services, unserved: string[], presence: RegionPresence) {
  const { db, clock, mail } = services;
  const now = clock.now();
  const due = new Date(now.getTime() - NOTIFY_AFTER_MS);
  const regions = unserved.filter((region) => (presence.get(region) ?? due) <= due);
  if (regions.length === 0) return;
  const servedAt = regions.map((region) => presence.get(region) ?? null);
  await db.$transaction(async (tx) => {
    const opened = await tx.$queryRaw<Opened[]>`
      WITH silent AS (
        SELECT monitor.organization_id, gone.region, coalesce(gone.served_at, min(monitor.updated_at)) AS since,
               count(*)::int AS monitors,
               (count(*) FILTER (WHERE monitor.regions <@ ${unserved}::text[]))::int AS "withoutData"
          FROM unnest(${regions}::text[], ${servedAt}::timestamptz[]) AS gone (region, served_at)
          JOIN probe_schedule AS schedule ON schedule.region = gone.region
          JOIN monitor ON monitor.id = schedule.monitor_id
         WHERE monitor.enabled
         GROUP BY monitor.organization_id, gone.region, gone.served_at
      ), opened AS (
        INSERT INTO region_outage (organization_id, region, since)
        SELECT organization_id, region, since FROM silent WHERE since <= ${due}
        ON CONFLICT DO NOTHING
        RETURNING organization_id, region
      )
      SELECT silent.organization_id AS "organizationId", region, since, monitors, "withoutData"
        FROM opened JOIN silent USING (organization_id, region)`;
    if (opened.length === 0) return;
    const nameRegion = await readRegionNames(
      tx,
      opened.map(({ region }) => region),
    );
    await writeNotices(
      tx,
      mail,
      opened.map((each) => silenceNotice(each, nameRegion)),
    );
    await notify(tx, 'pharos_mail');
  });
}

/** Ends the outages of regions that deliver data again, and notifies the organization if it still uses them. */
async function closeRegionOutages(services: Services, unserved: readonly string[]): Promise<void> {
  const { db, clock, mail } = services;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const closed = await tx.$queryRaw<
      (Pick<Opened, 'organizationId' | 'region' | 'since'> & { isUsed: boolean })[]
    >`
      WITH seen AS (
        SELECT outage.organization_id, outage.region, own.is_used, own.has_data
          FROM region_outage AS outage CROSS JOIN LATERAL (
                 SELECT count(*) > 0 AS is_used,
                        coalesce(bool_or(${resultAtIn(Prisma.sql`outage.region`)}
                                         > extract(epoch FROM outage.since) * 1000), false) AS has_data
                   FROM monitor JOIN monitor_state AS state ON state.monitor_id = monitor.id
                   LEFT JOIN LATERAL ${lastCheckIn(Prisma.sql`outage.region`, now)} AS last ON true
                  WHERE monitor.organization_id = outage.organization_id AND monitor.enabled
                    AND outage.region = ANY(monitor.regions) AND ${IS_PROBED}) AS own
      )
      DELETE FROM region_outage AS outage USING seen
       WHERE outage.organization_id = seen.organization_id AND outage.region = seen.region
         AND (NOT is_used OR (has_data AND outage.region <> ALL(${[...unserved]}::text[])))
      RETURNING outage.organization_id AS "organizationId", outage.region, since, is_used AS "isUsed"`;
    const returned = closed.filter(({ isUsed }) => isUsed);
    if (returned.length === 0) return;
    const nameRegion = await readRegionNames(
      tx,
      returned.map(({ region }) => region),
    );
    await writeNotices(
      tx,
      mail,
      returned.map(({ organizationId, region, since }): NewNotice => {
        const downtime = Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000));
        const about = aboutRegion(organizationId, region, nameRegion);
        return { ...about, kind: 'region.back', error: null, downtime, occurredAt: now };
      }),
    );
    await notify(tx, 'pharos_mail');
  });
}

function silenceNotice(
  { organizationId, region, since, monitors, withoutData }: Opened,
  nameRegion: NameRegion,
): NewNotice {
  const effect = formatImpact(monitors, withoutData);
  const about = aboutRegion(organizationId, region, nameRegion);
  // Dated to the start of the outage, so that it is sent without further gathering.
  return { ...about, kind: 'region.silent', error: null, effect, downtime: null, occurredAt: since };
}

function aboutRegion(organizationId: string, region: string, nameRegion: NameRegion) {
  return { organizationId, subjectId: region, subjectName: nameRegion(region), incidentId: null };
}

function formatImpact(monitors: number, withoutData: number): string {
  const checked = monitors - withoutData;
  const parts: string[] = [];
  if (withoutData > 0) {
    const verb = withoutData === 1 ? 'has' : 'have';
    parts.push(
      `${formatMonitors(withoutData)} ${verb} no current data: the last known status is kept, and the time counts as unknown.`,
    );
  }
  if (checked > 0) {
    parts.push(
      `${formatMonitors(checked)} ${checked === 1 ? 'is' : 'are'} still checked from other regions.`,
    );
  }
  return parts.join(' ');
}

function formatMonitors(monitors: number): string {
  return `${monitors} ${monitors === 1 ? 'monitor' : 'monitors'}`;
}
