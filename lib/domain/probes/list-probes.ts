import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { requireOwnRegion } from '@/lib/domain/regions/require-own-region';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Probe } from '@/lib/schemas/probes/probe';

/** A probe that did not announce that it stops is remembered this long. */
export const PROBE_DAYS = 1;

/** A probe without a report for this long is not live, like a worker. */
const LIVE_MS = 15_000;
const DAY_MS = 86_400_000;
/** Of one list: the others are those not seen for longest. */
const MAX_PROBES = 1000;

type Row = {
  id: string;
  region: string;
  tokenId: string;
  tokenName: string;
  host: string;
  address: string | null;
  version: string | null;
  checksPerSecond: number | null;
  latenessMs: number | null;
  backlog: number | null;
  startedAt: Date;
  seenAt: Date;
};

/** A probe, and the region that it serves. */
export type ServingProbe = Probe & { region: string };

/** The probes of all regions by region, host and age, with those that went silent in the last day: for the operator. */
export function listAllProbes(services: Pick<Services, 'db' | 'clock'>): Promise<ServingProbe[]> {
  return findProbes(services, Prisma.sql`true`);
}

/** The probes of an own region by host and age, with those that went silent in the last day. Throws FORBIDDEN and NOT_FOUND. */
export async function listRegionProbes(ctx: OrganizationContext, regionId: string): Promise<Probe[]> {
  requirePermission(ctx, 'probe.read');
  await requireOwnRegion(ctx.db, ctx, regionId);
  const probes = await findProbes(ctx, Prisma.sql`probe.region = ${regionId}`);
  return probes.map(({ region: _, ...probe }) => probe);
}

/** The same of all own regions, each with its region. Throws FORBIDDEN. */
export async function listOwnProbes(ctx: OrganizationContext): Promise<ServingProbe[]> {
  requirePermission(ctx, 'probe.read');
  const own = Prisma.sql`SELECT id FROM region WHERE organization_id = ${ctx.organizationId} AND deleted_at IS NULL`;
  return findProbes(ctx, Prisma.sql`probe.region IN (${own})`);
}

/** The probes that meet a condition on `probe` and `token`. Those of revoked tokens are gone. */
async function findProbes(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  condition: Prisma.Sql,
): Promise<ServingProbe[]> {
  const now = clock.now();
  const shownSince = new Date(now.getTime() - PROBE_DAYS * DAY_MS);
  const rows = await db.$queryRaw<Row[]>`
    SELECT probe.id, probe.region, token_id AS "tokenId", token.name AS "tokenName", host, address, version,
           checks_per_second AS "checksPerSecond", lateness_ms AS "latenessMs", backlog,
           started_at AS "startedAt", seen_at AS "seenAt"
      FROM probe
      JOIN probe_token AS token ON token.id = probe.token_id
     WHERE probe.seen_at > ${shownSince} AND token.revoked_at IS NULL AND ${condition}
     ORDER BY probe.seen_at DESC LIMIT ${MAX_PROBES}`;
  const liveSince = new Date(now.getTime() - LIVE_MS);
  return rows.map((row) => toProbe(row, liveSince)).toSorted(compareProbes);
}

function toProbe(row: Row, liveSince: Date): ServingProbe {
  const { id, region, tokenId, tokenName, host, address, version, checksPerSecond, latenessMs, backlog } =
    row;
  return {
    // Without the token, which precedes the process.
    id: id.slice(id.indexOf('/') + 1),
    region,
    token: { id: tokenId, name: tokenName },
    host,
    address,
    version,
    checksPerSecond,
    lateness: latenessMs,
    backlog,
    startedAt: row.startedAt.toISOString(),
    lastSeenAt: row.seenAt.toISOString(),
    isLive: row.seenAt > liveSince,
  };
}

/** The order of a list must not change with each report. */
function compareProbes(a: ServingProbe, b: ServingProbe): number {
  const [first, second] = [a, b].map(({ region, host, startedAt, id }) =>
    [region, host, startedAt, id].join('\n'),
  );
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
