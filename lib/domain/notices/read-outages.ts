import type { Notice, OutageFacts } from '@/lib/notify/notices';
import { readRegionNames } from '@/lib/notify/region-names';
import type { Transaction } from '@/lib/platform/db/client';
import { isBuiltInRegionId } from '@/lib/schemas/regions';

/** A marker that is older says little about an outage. */
const MARKER_MINUTES = 60;

const ABOUT_OUTAGES: readonly Notice['kind'][] = ['monitor.down', 'monitor.up', 'monitor.flapping'];

type Row = Omit<OutageFacts, 'marker'> & {
  id: string;
  at: Date;
  markerTitle: string | null;
  markerAt: Date | null;
};

/**
 * What emails say about the outages of these notices, in two statements at most. Notices of monitors that were deleted lack it. Built-in
 * regions that are one place say nothing, and are left out.
 */
export async function addOutages<Each extends Notice>(
  tx: Transaction,
  notices: Each[],
  isOnePlace: () => Promise<boolean>,
): Promise<Each[]> {
  const about = notices.filter(({ kind }) => ABOUT_OUTAGES.includes(kind));
  if (about.length === 0) return notices;
  const ids = about.map(({ subjectId }) => subjectId);
  const moments = about.map(({ occurredAt }) => occurredAt);
  const rows = await tx.$queryRaw<Row[]>`
    SELECT given.id, given.at, monitor.url AS target, period.from_at AS since, before.state::text AS before,
           coalesce(failing.regions, '{}') AS regions, coalesce((period.why->>'voting')::int, 0) AS voting,
           marker.title AS "markerTitle", marker.occurred_at AS "markerAt"
      FROM unnest(${ids}::text[], ${moments}::timestamptz[]) AS given (id, at)
      JOIN monitor ON monitor.id = given.id
      LEFT JOIN LATERAL (
           SELECT id, from_at, why FROM status_period
            WHERE monitor_id = given.id AND state = 'down' AND from_at <= given.at
            ORDER BY from_at DESC, id DESC LIMIT 1) AS period ON true
      LEFT JOIN LATERAL (
           SELECT state FROM status_period
            WHERE monitor_id = given.id AND (from_at, id) < (period.from_at, period.id)
            ORDER BY from_at DESC, id DESC LIMIT 1) AS before ON true
      LEFT JOIN LATERAL (
           SELECT array_agg(region->>'region') AS regions FROM jsonb_array_elements(period.why->'regions') AS region
            WHERE region->>'verdict' = 'failing') AS failing ON true
      LEFT JOIN LATERAL (
           SELECT title, occurred_at FROM marker
            WHERE organization_id = monitor.organization_id
              AND occurred_at BETWEEN period.from_at - make_interval(mins => ${MARKER_MINUTES}::int) AND period.from_at
              AND ((tags = '{}' AND monitors = '{}') OR monitor.id = ANY(monitors) OR monitor.tags && tags)
            ORDER BY occurred_at DESC, number DESC LIMIT 1) AS marker ON true`;
  const isOne = await isOnePlace();
  const tellsApart = (region: string) => !(isOne && isBuiltInRegionId(region));
  const nameRegion = await readRegionNames(
    tx,
    rows.flatMap(({ regions }) => regions),
  );
  const key = (id: string, at: Date) => `${id} ${at.getTime()}`;
  const outages = new Map(
    rows.map(({ id, at, markerTitle, markerAt, regions, voting, ...rest }): [string, OutageFacts] => {
      const marker = markerTitle === null || markerAt === null ? null : { title: markerTitle, at: markerAt };
      const apart = regions.filter(tellsApart);
      const votes = apart.length === regions.length ? voting : apart.length;
      return [key(id, at), { ...rest, regions: apart.map(nameRegion), voting: votes, marker }];
    }),
  );
  return notices.map((notice) => {
    const outage = outages.get(key(notice.subjectId, notice.occurredAt));
    return outage === undefined ? notice : { ...notice, outage };
  });
}
