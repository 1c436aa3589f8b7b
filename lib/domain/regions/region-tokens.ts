import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import {
  insertToken,
  lockToken,
  replaceToken,
  type StoredProbeToken,
} from '@/lib/domain/probe-tokens/probe-tokens';
import { endOfReplaced, serializeTimes } from '@/lib/domain/tokens/token-life';
import { MAX_TOKENS, requireTokenQuota } from '@/lib/domain/tokens/token-quota';
import type { Transaction } from '@/lib/platform/db/client';
import type { NewProbeToken, ProbeToken } from '@/lib/schemas/probes/probe-token';
import type { RegionId } from '@/lib/schemas/regions';
import type { CreateToken, RotateToken } from '@/lib/schemas/token';
import { lockOwnRegion, requireOwnRegion } from './require-own-region';

/** Creates a token with which probes serve an own region, and returns it in clear text, only once. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if the region has 20. */
export async function createRegionToken(
  ctx: OrganizationContext,
  regionId: string,
  { name }: CreateToken,
): Promise<NewProbeToken> {
  requirePermission(ctx, 'probe-token.create');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { id: region } = await lockOwnRegion(tx, ctx, regionId);
    await requireTokenQuota(tx, 'region', { id: region, now, max: MAX_TOKENS });
    const { id, token } = await insertToken(tx, { region, name, now });
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'probe-token.create', subject, after: { name, region } });
    return { ...(await readToken(tx, id)), token };
  });
}

/**
 * Replaces a token of an own region with a new one of the same name, returned in clear text only once. The old one works until the
 * overlap ends. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for a revoked or expired one, or while 40 are valid.
 */
export async function rotateRegionToken(
  ctx: OrganizationContext,
  { regionId, tokenId }: TokenOfRegion,
  { overlapHours }: RotateToken,
): Promise<NewProbeToken> {
  requirePermission(ctx, 'probe-token.rotate');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { id: region } = await lockOwnRegion(tx, ctx, regionId);
    const old = await lockToken(tx, tokenId, region);
    const worksUntil = endOfReplaced('token', old, overlapHours, now);
    await requireTokenQuota(tx, 'region', { id: region, now, max: 2 * MAX_TOKENS });
    const { id, token } = await replaceToken(tx, old, { worksUntil, now });
    const subject = { id: tokenId, label: old.name };
    const after = { worksUntil, successor: id };
    await recordAudit(tx, ctx, { action: 'probe-token.rotate', subject, after });
    return { ...(await readToken(tx, id)), token };
  });
}

/** Revokes a token of an own region: its probes are refused at their next request. Idempotent. Throws FORBIDDEN and NOT_FOUND. */
export async function revokeRegionToken(
  ctx: OrganizationContext,
  { regionId, tokenId }: TokenOfRegion,
): Promise<{ message: string }> {
  requirePermission(ctx, 'probe-token.revoke');
  const revokedAt = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const { id: region } = await lockOwnRegion(tx, ctx, regionId);
    const { name, revokedAt: before } = await lockToken(tx, tokenId, region);
    if (before !== null) return;
    await tx.probeToken.update({ where: { id: tokenId }, data: { revokedAt } });
    const subject = { id: tokenId, label: name };
    await recordAudit(tx, ctx, { action: 'probe-token.revoke', subject, after: { revokedAt } });
  });
  return { message: 'Probe token revoked' };
}

/** The tokens of an own region, newest first, without the tokens themselves. Throws FORBIDDEN and NOT_FOUND. */
export async function listRegionTokens(ctx: OrganizationContext, regionId: string): Promise<ProbeToken[]> {
  requirePermission(ctx, 'probe-token.read');
  await requireOwnRegion(ctx.db, ctx, regionId);
  return findTokens(ctx, [regionId]);
}

/** The tokens of all own regions, newest first. Throws FORBIDDEN. */
export async function listOwnTokens(ctx: OrganizationContext): Promise<ProbeToken[]> {
  requirePermission(ctx, 'probe-token.read');
  const { db, organizationId } = ctx;
  const regions = await db.region.findMany({
    where: { organizationId, deletedAt: null },
    select: { id: true },
  });
  return findTokens(
    ctx,
    regions.map(({ id }) => id),
  );
}

/** A token, and its region. */
export type TokenOfRegion = { regionId: string; tokenId: string };

async function findTokens({ db }: Pick<OrganizationContext, 'db'>, regions: string[]): Promise<ProbeToken[]> {
  const rows = await db.probeToken.findMany({
    where: { region: { in: regions } },
    omit: { hash: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toToken);
}

async function readToken(tx: Transaction, id: string): Promise<ProbeToken> {
  return toToken(await tx.probeToken.findUniqueOrThrow({ where: { id }, omit: { hash: true } }));
}

function toToken({ id, region, name, hint, ...times }: StoredProbeToken): ProbeToken {
  return { id, region: region as RegionId, name, hint, ...serializeTimes(times) };
}
