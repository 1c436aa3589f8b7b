import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Role } from '@/lib/domain/context/organization-context';
import { permits, ROLES } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import type { Database, Transaction } from '@/lib/platform/db/client';

const HOUR_MS = 3_600_000;
/** Lifetime of a mailed link. */
export const MAILED_LINK_MS = HOUR_MS;
/** Lifetime of a link that one person hands to another. */
export const HANDED_LINK_MS = 24 * HOUR_MS;

type TokenKind = 'password_reset' | 'email_confirmation' | 'invitation';

/** What a token is for: always `email`, and the rest depending on its kind. */
export type TokenSubject = {
  kind: TokenKind;
  /** Normalized by `emailAddress`. */
  email: string;
  /** The user whose password is reset. */
  userId?: string | null;
  /** The organization and role of an invitation; the organization in which a reset link was handed out. */
  organizationId?: string | null;
  role?: Role | null;
  /** The user who created it; null: an API key, the service itself, or the operator. */
  createdBy?: string | null;
  /** The API key that created it. */
  createdByKey?: string | null;
};

/** A token that is still valid. */
export type OneTimeToken = Required<TokenSubject> & { id: string; createdAt: Date; expiresAt: Date };

/** 256 bits cannot be guessed, so a fast hash is enough. */
const TOKEN_BYTES = 32;
const WELL_FORMED = /^[\w-]{43}$/;

/**
 * Creates a token that can be used once, until `lifetimeMs` after `now`, in clear text in the return value only. It replaces
 * an open one for the same address, kind and organization.
 */
export async function issueToken(
  tx: Transaction | Database,
  subject: TokenSubject,
  { now, lifetimeMs }: { now: Date; lifetimeMs: number },
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const { kind, email, userId = null, organizationId = null, role = null } = subject;
  const { createdBy = null, createdByKey = null } = subject;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const id = createId('oneTimeToken');
  await tx.$executeRaw`
    INSERT INTO one_time_token
      (id, kind, hash, email, user_id, organization_id, role, created_by, created_by_key, created_at, expires_at)
    VALUES (${id}, ${kind}::token_kind, ${hashToken(token)}, ${email}, ${userId}, ${organizationId},
      ${role}::role, ${createdBy}, ${createdByKey}, ${now}, ${expiresAt})
    ON CONFLICT (kind, email, (COALESCE(organization_id, ''))) WHERE used_at IS NULL DO UPDATE SET
      id = excluded.id, hash = excluded.hash, user_id = excluded.user_id, role = excluded.role,
      created_by = excluded.created_by, created_by_key = excluded.created_by_key,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;
  return { id, token, expiresAt };
}

/** Reads a token without using it, for the page it opens. Throws NOT_FOUND with a message for the holder of the link. */
export async function readToken(
  tx: Transaction | Database,
  { kind, token, now }: { kind: TokenKind; token: string; now: Date },
): Promise<OneTimeToken> {
  const row = WELL_FORMED.test(token)
    ? await tx.oneTimeToken.findUnique({ where: { hash: hashToken(token) } })
    : null;
  if (row === null || row.kind !== kind) {
    throw invalidLink('is not valid. A newer link may have replaced it, or part of it is missing');
  }
  if (row.usedAt !== null) throw invalidLink('has already been used');
  if (row.expiresAt <= now) throw invalidLink('has expired');
  const { usedAt: _, hash: __, ...open } = row;
  return open;
}

/**
 * Uses a token up, in the transaction of what it allows; of several concurrent attempts only one succeeds. Throws NOT_FOUND
 * for a token that is used, expired, replaced, of another kind or unknown.
 */
export async function consumeToken(
  tx: Transaction,
  { kind, token, now }: { kind: TokenKind; token: string; now: Date },
): Promise<OneTimeToken> {
  const found = await readToken(tx, { kind, token, now });
  const { count } = await tx.oneTimeToken.updateMany({
    where: { hash: hashToken(token), usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw invalidLink('has already been used');
  return found;
}

/** Revokes all unused reset links of a user. */
export async function endResetLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.oneTimeToken.deleteMany({ where: { kind: 'password_reset', userId, usedAt: null } });
}

function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** The error for a link whose creator has lost the permission or whose recipient's membership has changed. */
export function withdrawn(): DomainError {
  return invalidLink('was withdrawn: its creator may no longer issue it, or your membership has changed');
}

function invalidLink(why: string): DomainError {
  return new DomainError('NOT_FOUND', `This link ${why}. Request a new one.`);
}

/**
 * The base URL of links in emails; null if links cannot be mailed. Only APP_URL is trusted: the Host of a request is chosen by
 * the sender, and the email goes to somebody else.
 */
export function mailedLinkBase({ mail, appUrl }: Pick<Services, 'mail' | 'appUrl'>): string | null {
  return mail.isOn ? appUrl : null;
}

/**
 * Revokes the links that a member handed out in the organization, and all handed-out reset links for the member, because they
 * open the whole account. Call it in the transaction that changes the membership or its role.
 */
export async function revokeHandedLinks(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await tx.oneTimeToken.deleteMany({
    where: {
      usedAt: null,
      organizationId: { not: null },
      OR: [
        { kind: 'password_reset', userId },
        { createdBy: userId, organizationId },
      ],
    },
  });
}

/** Whether a role may hand out a reset link for a member: never for a higher role. */
export function mayResetPassword(creator: Role, member: Role): boolean {
  return ROLES.indexOf(creator) >= ROLES.indexOf(member);
}

/**
 * Checks a handed-out reset link against the current state: the user still belongs only to this organization, and the creator
 * may still reset their password. Links mailed to the user or created by the operator are always valid. Throws NOT_FOUND with
 * a message for the holder of the link.
 */
export async function requireAuthorityToReset(
  tx: Transaction | Database,
  { organizationId, userId, createdBy }: Pick<OneTimeToken, 'organizationId' | 'userId' | 'createdBy'>,
): Promise<void> {
  if (organizationId === null) return;
  const memberships = await tx.membership.findMany({
    where: { OR: [{ userId: userId ?? '' }, { userId: createdBy ?? '', organizationId }] },
  });
  const ofPerson = memberships.filter((membership) => membership.userId === userId);
  const [own] = ofPerson;
  const creator = memberships.find(
    (one) => one.userId === createdBy && one.organizationId === organizationId,
  );
  const isAllowed =
    creator !== undefined &&
    ofPerson.length === 1 &&
    own?.organizationId === organizationId &&
    permits(
      { actor: { kind: 'user', userId: creator.userId, role: creator.role } },
      'member.reset-password',
    ) &&
    mayResetPassword(creator.role, own.role);
  if (!isAllowed) throw withdrawn();
}
