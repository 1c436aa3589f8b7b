import { parseUrl } from '@/lib/core/parse-url';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits, requirePermission } from '@/lib/domain/context/permissions';
import { findMonitorNumber, ownMonitor } from '@/lib/domain/monitors/find-monitor';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';
import { HIDDEN, hideHeaders, hideUrl } from '@/lib/schemas/hidden';
import {
  type CheckEvidence,
  type EvidenceKind,
  type EvidenceQuery,
  type StoredEvidence,
  storedEvidenceSchema,
} from '@/lib/schemas/monitor/evidence';
import { regionNumber, regionOf } from '@/lib/schemas/regions';
import { openEvidence } from './sealed-evidence';

type Row = { id: string; at: Date; region: number; kind: EvidenceKind; content: Uint8Array<ArrayBuffer> };

const COLUMNS = Prisma.sql`id, checked_at AS at, region, kind::text AS kind, content_sealed AS content`;

const UNREADABLE: StoredEvidence = storedEvidenceSchema.parse({
  errorMessage: 'this evidence cannot be decrypted with the current SECRET_KEY',
});

/** A page of what a monitor's checks saw, newest first. Actors who may not change the monitor get no bodies. Throws NOT_FOUND. */
export async function listEvidence(
  ctx: OrganizationContext,
  id: string,
  query: EvidenceQuery,
): Promise<Page<CheckEvidence>> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<Row[]>(evidenceQuery(ownMonitor('id', ctx, id), query));
  if (rows.length === 0) await findMonitorNumber(ctx, id);
  const page = pageOf(rows, query.limit, ({ at, region }) => ({ at, tie: region }));
  return { items: page.items.map((row) => toEvidence(ctx, row)), next: page.next };
}

/** What a check saw, and the last success before it, from the same region if there is one. */
export type ComparedEvidence = { seen: CheckEvidence; good: CheckEvidence | null };

/**
 * What the first failure of the last run saw, or the check with the evidence `chosen`, if that is still kept. Null without either.
 * Throws NOT_FOUND.
 */
export async function readCompared(
  ctx: OrganizationContext,
  id: string,
  chosen?: string,
): Promise<ComparedEvidence | null> {
  const seen = (chosen && (await findEvidence(ctx, id, chosen))) || (await findLastFailure(ctx, id));
  if (!seen) return null;
  const region = seen.region === null ? 0 : regionNumber(seen.region);
  const [good] = await ctx.db.$queryRaw<Row[]>`
    SELECT ${COLUMNS} FROM check_evidence
     WHERE monitor_id = ${ownMonitor('id', ctx, id)} AND kind <> 'failure'
       AND checked_at < ${new Date(seen.checkedAt)}
     ORDER BY (region = ${region}) DESC, checked_at DESC LIMIT 1`;
  return { seen, good: good ? toEvidence(ctx, good) : null };
}

async function findEvidence(ctx: OrganizationContext, monitorId: string, id: string) {
  requirePermission(ctx, 'monitor.read');
  const [row] = await ctx.db.$queryRaw<Row[]>`
    SELECT ${COLUMNS} FROM check_evidence WHERE id = ${id} AND monitor_id = ${ownMonitor('id', ctx, monitorId)}`;
  return row && toEvidence(ctx, row);
}

async function findLastFailure(ctx: OrganizationContext, id: string) {
  return (await listEvidence(ctx, id, { kind: 'failure', limit: 1 })).items[0];
}

/** Reads backwards through the index of a monitor's evidence and stops at the limit. */
export function evidenceQuery(
  monitorId: Prisma.Sql,
  { region, kind, limit, cursor }: EvidenceQuery,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`monitor_id = ${monitorId}`,
    ...(region ? [Prisma.sql`region = ${regionNumber(region)}`] : []),
    ...(kind ? [Prisma.sql`kind = ${kind}::evidence_kind`] : []),
    ...(cursor ? [after(cursor)] : []),
  ];
  return Prisma.sql`
    SELECT ${COLUMNS}
      FROM check_evidence
     WHERE ${Prisma.join(conditions, ' AND ')}
     ORDER BY checked_at DESC, region DESC LIMIT ${limit + 1}`;
}

function after({ at, tie }: Cursor): Prisma.Sql {
  return Prisma.sql`checked_at <= ${at} AND (checked_at < ${at} OR region < ${tie}::bigint)`;
}

function toEvidence(ctx: OrganizationContext, { id, at, region, kind, content }: Row): CheckEvidence {
  const shown = {
    id,
    checkedAt: at.toISOString(),
    region: regionOf(region),
    kind,
    ...open(ctx, id, content),
  };
  return permits(ctx, 'monitor.update') ? shown : hideEvidence(shown);
}

/** One row that was damaged must not hide all others. */
function open({ keyring }: OrganizationContext, id: string, content: Row['content']): StoredEvidence {
  try {
    return openEvidence(keyring, { id, content });
  } catch {
    return UNREADABLE;
  }
}

/**
 * Evidence for readers who may not change the monitor, and thus not see its secrets: a target can repeat what it was sent. Bodies,
 * most header values and the paths of redirects are hidden.
 */
function hideEvidence<Item extends StoredEvidence>(evidence: Item): Item {
  const { headers, redirects, body } = evidence;
  return {
    ...evidence,
    headers: hideHeaders(headers),
    redirects: redirects.map((redirect) => ({ ...redirect, location: hideLocation(redirect.location) })),
    body: body && { ...body, text: body.text === null ? null : HIDDEN },
  };
}

function hideLocation(location: string): string {
  return parseUrl(location) === null ? HIDDEN : hideUrl(location);
}
