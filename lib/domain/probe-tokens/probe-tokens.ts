import { formatCommand } from '@/lib/command-line';
import { DomainError, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { createTokenFormat, readBearer } from '@/lib/core/token-format';
import type { Services } from '@/lib/domain/context/services';
import { endOfReplaced, isLive, isUseNoted } from '@/lib/domain/tokens/token-life';
import type { Transaction } from '@/lib/platform/db/client';
import type { ProbeToken as Row } from '@/lib/platform/db/generated/client';
import { isOwnRegionId, type RegionId, UNKNOWN_REGION } from '@/lib/schemas/regions';

/** Tokens of probes: `ph_probe_` and 38 characters. */
const format = createTokenFormat('ph_probe_');

/** A token without its secret. */
export type StoredProbeToken = Omit<Row, 'hash'>;

/** A token that is valid, and the region that it serves. */
export type AuthenticatedToken = { tokenId: string; region: string };

type Context = Pick<Services, 'db' | 'clock'>;

/**
 * Creates a token with which probes serve a region, and returns it in clear text, only once. Throws UNKNOWN_REGION for an own region that
 * does not exist.
 */
export async function createProbeToken(
  { db, clock }: Context,
  { region, name }: { region: RegionId; name: string },
): Promise<{ id: string; token: string }> {
  return db.$transaction(async (tx) => {
    if (isOwnRegionId(region)) await requireOwnRegion(tx, region);
    return insertToken(tx, { region, name, now: clock.now() });
  });
}

/**
 * Replaces a token with a new one of the same region and name, returned in clear text only once. The old one works for
 * `overlapHours` more. Throws NOT_FOUND, and VALIDATION_ERROR for a revoked or expired token.
 */
export async function rotateProbeToken(
  { db, clock }: Context,
  id: string,
  { overlapHours }: { overlapHours: number },
): Promise<{ id: string; token: string; worksUntil: Date }> {
  return db.$transaction(async (tx) => {
    const now = clock.now();
    const old = await lockToken(tx, id);
    const worksUntil = endOfReplaced('token', old, overlapHours, now);
    return { ...(await replaceToken(tx, old, { worksUntil, now })), worksUntil };
  });
}

/** Creates the successor of a token, which the caller has locked, and ends the old one at `worksUntil`. */
export async function replaceToken(
  tx: Transaction,
  { id, region, name }: Pick<Row, 'id' | 'region' | 'name'>,
  { worksUntil, now }: { worksUntil: Date; now: Date },
): Promise<{ id: string; token: string }> {
  await tx.probeToken.update({ where: { id }, data: { expiresAt: worksUntil } });
  return insertToken(tx, { region, name, now });
}

/** Revokes a token: its probes are refused at their next exchange, and their results with them. Idempotent. Throws NOT_FOUND. */
export async function revokeProbeToken({ db, clock }: Context, id: string): Promise<Date> {
  return db.$transaction(async (tx) => {
    const { revokedAt } = await lockToken(tx, id);
    if (revokedAt !== null) return revokedAt;
    const now = clock.now();
    await tx.probeToken.update({ where: { id }, data: { revokedAt: now } });
    return now;
  });
}

/** Revokes the tokens of a region, which the caller has locked. */
export async function revokeTokensOf(tx: Transaction, region: string, now: Date): Promise<void> {
  await tx.probeToken.updateMany({ where: { region, revokedAt: null }, data: { revokedAt: now } });
}

/** All tokens, newest first. */
export function listProbeTokens({ db }: Pick<Services, 'db'>): Promise<StoredProbeToken[]> {
  return db.probeToken.findMany({ omit: { hash: true }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

/**
 * The token of a request and its region. Throws UNAUTHORIZED, with the same message, for a missing, malformed, unknown, revoked or
 * expired token; a malformed one never reaches the database.
 */
export async function authenticateProbe(
  { db, clock }: Context,
  authorization: string | undefined,
): Promise<AuthenticatedToken> {
  const token = readBearer(authorization) ?? '';
  if (!format.isWellFormed(token)) throw unauthorized();
  const now = clock.now();
  const row = await db.probeToken.findUnique({ where: { hash: format.hash(token) } });
  if (row === null || !isLive(row, now)) throw unauthorized();
  const { id, lastUsedAt, region } = row;
  if (isUseNoted(lastUsedAt, now)) {
    await db.probeToken.update({ where: { id }, data: { lastUsedAt: now } });
  }
  return { tokenId: id, region };
}

/** Prevents the deletion of the region until the transaction ends: it revokes the tokens that there are. */
async function requireOwnRegion(tx: Transaction, region: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM region WHERE id = ${region} AND deleted_at IS NULL FOR SHARE`;
  if (rows.length === 0) throw new DomainError('UNKNOWN_REGION', `${region}: ${UNKNOWN_REGION}.`);
}

/** Creates a token, in clear text in the return value only. */
export async function insertToken(
  tx: Pick<Transaction, 'probeToken'>,
  { now, ...fields }: { region: string; name: string; now: Date },
): Promise<{ id: string; token: string }> {
  const token = format.generate();
  const id = createId('probeToken');
  const stored = { hash: format.hash(token), hint: format.hint(token) };
  await tx.probeToken.create({ data: { id, ...fields, ...stored, createdAt: now } });
  return { id, token };
}

/** Locks a token, of `region` if given, until the transaction ends. Throws NOT_FOUND. */
export async function lockToken(tx: Transaction, id: string, region?: string): Promise<Row> {
  await tx.$queryRaw`SELECT 1 FROM probe_token WHERE id = ${id} FOR UPDATE`;
  const where = region === undefined ? { id } : { id, region };
  return requireFound(await tx.probeToken.findFirst({ where }), 'Probe token');
}

function unauthorized(): DomainError {
  return new DomainError(
    'UNAUTHORIZED',
    `Send a valid probe token as Authorization: Bearer <TOKEN>. Create one under Settings → Regions, or where Pharos runs with "${formatCommand('region create-token REGION', { isPublic: true })}".`,
  );
}
