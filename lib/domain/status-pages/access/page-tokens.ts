import { requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { createTokenFormat } from '@/lib/core/token-format';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { findOwnPage, ownPage } from '@/lib/domain/status-pages/read-status-pages';
import { endOfReplaced, isLive, isUseNoted, serializeTimes } from '@/lib/domain/tokens/token-life';
import { MAX_TOKENS, requireTokenQuota } from '@/lib/domain/tokens/token-quota';
import type { Transaction } from '@/lib/platform/db/client';
import type { PageToken as Row } from '@/lib/platform/db/generated/client';
import { notePageMoved } from '@/lib/platform/page-front/application';
import type { NewPageToken, PageToken } from '@/lib/schemas/status-pages/page-token';
import type { CreateToken, RotateToken } from '@/lib/schemas/token';

/** Tokens of pages: `ph_page_` and 38 characters. */
const format = createTokenFormat('ph_page_');

/** A token, and its page. */
export type TokenOfPage = { slug: string; tokenId: string };

/**
 * Creates a token that opens the feeds, JSON and badges of a page while it is private, and returns it in clear text, only once. Throws
 * FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if the page has 20.
 */
export async function createPageToken(
  ctx: OrganizationContext,
  slug: string,
  { name }: CreateToken,
): Promise<NewPageToken> {
  requirePermission(ctx, 'page-token.create');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const page = await lockPage(tx, ctx, slug);
    await requireTokenQuota(tx, 'page', { id: page.id, now, max: MAX_TOKENS });
    const created = await insertToken(tx, { pageId: page.id, name, now });
    const subject = { id: created.id, label: name };
    const after = { name, page: page.slug };
    await recordAudit(tx, ctx, { action: 'page-token.create', subject, after });
    return created;
  });
}

/**
 * Replaces a token with a new one of the same name, returned in clear text only once. The old one works until the overlap ends. Throws
 * FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for a revoked or expired one, or while 40 are valid.
 */
export async function rotatePageToken(
  ctx: OrganizationContext,
  { slug, tokenId }: TokenOfPage,
  { overlapHours }: RotateToken,
): Promise<NewPageToken> {
  requirePermission(ctx, 'page-token.rotate');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { id: pageId } = await lockPage(tx, ctx, slug);
    const old = await findToken(tx, { id: tokenId, pageId });
    const worksUntil = endOfReplaced('token', old, overlapHours, now);
    await requireTokenQuota(tx, 'page', { id: pageId, now, max: 2 * MAX_TOKENS });
    await tx.pageToken.update({ where: { id: tokenId }, data: { expiresAt: worksUntil } });
    const created = await insertToken(tx, { pageId, name: old.name, now });
    const subject = { id: tokenId, label: old.name };
    const after = { worksUntil, successor: created.id };
    await recordAudit(tx, ctx, { action: 'page-token.rotate', subject, after });
    // Copies that the old one opened are dropped everywhere, since it may end at once.
    await notePageMoved(tx, pageId);
    return created;
  });
}

/** Revokes a token of a page, at once in every process. Idempotent. Throws FORBIDDEN and NOT_FOUND. */
export async function revokePageToken(
  ctx: OrganizationContext,
  { slug, tokenId }: TokenOfPage,
): Promise<{ message: string }> {
  requirePermission(ctx, 'page-token.revoke');
  const revokedAt = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const { id: pageId } = await lockPage(tx, ctx, slug);
    const { name, revokedAt: before } = await findToken(tx, { id: tokenId, pageId });
    if (before !== null) return;
    await tx.pageToken.update({ where: { id: tokenId }, data: { revokedAt } });
    const subject = { id: tokenId, label: name };
    await recordAudit(tx, ctx, { action: 'page-token.revoke', subject, after: { revokedAt } });
    await notePageMoved(tx, pageId);
  });
  return { message: 'Page token revoked' };
}

/** The tokens of a page, newest first, without the tokens themselves. Throws FORBIDDEN and NOT_FOUND. */
export async function listPageTokens(ctx: OrganizationContext, slug: string): Promise<PageToken[]> {
  requirePermission(ctx, 'page-token.read');
  const { id: pageId } = await findOwnPage(ctx, slug);
  const rows = await ctx.db.pageToken.findMany({
    where: { pageId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(serializeToken);
}

/** Whether a token is a valid one of the page; a malformed one never reaches the database. */
export async function isPageToken(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  pageId: string,
  token: string,
): Promise<boolean> {
  if (!format.isWellFormed(token)) return false;
  const now = clock.now();
  const row = await db.pageToken.findUnique({ where: { hash: format.hash(token) } });
  if (row === null || row.pageId !== pageId || !isLive(row, now)) return false;
  const { id, lastUsedAt } = row;
  if (isUseNoted(lastUsedAt, now)) {
    await db.pageToken.update({ where: { id }, data: { lastUsedAt: now } });
  }
  return true;
}

/** Locks a page of the organization, so that changes of its tokens are serialized. Throws NOT_FOUND. */
async function lockPage(tx: Transaction, { organizationId }: OrganizationContext, slug: string) {
  await tx.$queryRaw`SELECT id FROM status_page WHERE ${ownPage(organizationId, slug)} FOR NO KEY UPDATE`;
  return findOwnPage({ db: tx, organizationId }, slug);
}

async function findToken(tx: Transaction, where: { id: string; pageId: string }): Promise<Row> {
  return requireFound(await tx.pageToken.findFirst({ where }), 'Page token');
}

async function insertToken(
  tx: Transaction,
  { now, ...fields }: { pageId: string; name: string; now: Date },
): Promise<NewPageToken> {
  const token = format.generate();
  const stored = { hash: format.hash(token), hint: format.hint(token) };
  const row = await tx.pageToken.create({
    data: { id: createId('pageToken'), ...fields, ...stored, createdAt: now },
  });
  return { ...serializeToken(row), token };
}

function serializeToken({ id, name, hint, ...times }: Row): PageToken {
  return { id, name, hint, ...serializeTimes(times) };
}
