import { invalidState, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { createTokenFormat } from '@/lib/core/token-format';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { findOwnPage, ownPage } from '@/lib/domain/status-pages/read-status-pages';
import type { Transaction } from '@/lib/platform/db/client';
import type { PageToken as Row } from '@/lib/platform/db/generated/client';
import { notePageMoved } from '@/lib/platform/page-front/application';
import type {
  CreatePageToken,
  NewPageToken,
  PageToken,
  RotatePageToken,
} from '@/lib/schemas/status-pages/page-token';

/** Tokens of pages: `ph_page_` and 38 characters. */
const format = createTokenFormat('ph_page_');

/** Valid tokens of a page. While old ones overlap with those that replaced them, there may be twice as many. */
export const MAX_TOKENS = 20;
/** Those that ended stay listed, the last of them. */
export const MAX_ENDED = 20;

const HOUR_MS = 3_600_000;
/** Precision of `lastUsedAt`: a write per request would cost too much. */
const LAST_USED_PRECISION_MS = 60_000;

/** Which token of which page. */
export type TokenOfPage = { slug: string; tokenId: string };

/**
 * Creates a token that opens the feeds, JSON and badges of a page while it is private, and returns it in clear text, only once. Throws
 * FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if the page has 20.
 */
export async function createPageToken(
  ctx: OrganizationContext,
  slug: string,
  { name }: CreatePageToken,
): Promise<NewPageToken> {
  requirePermission(ctx, 'page-token.create');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const page = await lockPage(tx, ctx, slug);
    await requireTokenQuota(tx, { pageId: page.id, now, max: MAX_TOKENS });
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
  { overlapHours }: RotatePageToken,
): Promise<NewPageToken> {
  requirePermission(ctx, 'page-token.rotate');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { id: pageId } = await lockPage(tx, ctx, slug);
    const old = await findToken(tx, { id: tokenId, pageId });
    if (!isValid(old, now)) throw invalidState('This token is revoked or expired. Create a new one instead.');
    await requireTokenQuota(tx, { pageId, now, max: 2 * MAX_TOKENS });
    const overlapEnd = new Date(now.getTime() + overlapHours * HOUR_MS);
    const worksUntil = old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
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
  if (row === null || row.pageId !== pageId || !isValid(row, now)) return false;
  const { id, lastUsedAt } = row;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > LAST_USED_PRECISION_MS) {
    await db.pageToken.update({ where: { id }, data: { lastUsedAt: now } });
  }
  return true;
}

function isValid({ revokedAt, expiresAt }: Pick<Row, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
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

/** The page is locked. Deletes the oldest of the tokens that ended, so that their number is limited, too. */
async function requireTokenQuota(
  tx: Transaction,
  { pageId, now, max }: { pageId: string; now: Date; max: number },
): Promise<void> {
  const valid = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  if ((await tx.pageToken.count({ where: { pageId, ...valid } })) >= max) {
    throw invalidState(`A status page has at most ${MAX_TOKENS} tokens. Revoke one that is not in use.`);
  }
  const ended = await tx.pageToken.findMany({
    where: { pageId, NOT: valid },
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: MAX_ENDED,
  });
  await tx.pageToken.deleteMany({ where: { id: { in: ended.map(({ id }) => id) } } });
}

function serializeToken({ id, name, hint, ...row }: Row): PageToken {
  return {
    ...{ id, name, hint },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
