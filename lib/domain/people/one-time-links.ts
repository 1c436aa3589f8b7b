import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Role } from '@/lib/domain/context/organization-context';
import { permits, ROLES } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import type { Database, Transaction } from '@/lib/platform/db/client';

const HOUR_MS = 3_600_000;

/** How long a link that was asked for by mail is good. */
export const MAILED_LINK_MS = HOUR_MS;

/** How long a link is good that one person hands to another. */
export const HANDED_LINK_MS = 24 * HOUR_MS;

/** What the link is for. */
export type TokenKind = 'password_reset' | 'email_confirmation' | 'invitation';

/** What a token was made for: `email` always, the rest as its kind needs it. */
export type TokenSubject = {
  kind: TokenKind;
  /** Lower case, as `emailAddress` answers it. */
  email: string;
  /** Whose password is reset. */
  userId?: string | null;
  /** Where an invitation leads to, and as what; in which organization a reset link was handed out. */
  organizationId?: string | null;
  role?: Role | null;
  /** The person who created it; null: an API key, the service itself, or the operator. */
  createdBy?: string | null;
  /** The API key that created it. */
  createdByKey?: string | null;
};

/** A token that is still good. */
export type OneTimeToken = Required<TokenSubject> & { id: string; createdAt: Date; expiresAt: Date };

/** 256 bits, which nobody guesses: a fast hash is enough to keep them. */
const TOKEN_BYTES = 32;
const WELL_FORMED = /^[\w-]{43}$/;

/**
 * Makes a token that can be used once, until `lifetimeMs` after `now`; it is in clear text in the answer and nowhere
 * else. It takes the place of an open one for the same address, kind and organization: the older link is worth
 * nothing from then on.
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
      created_by = excluded.created_by, created_by_key = excluded.created_by_key, created_at = excluded.created_at, expires_at = excluded.expires_at`;
  return { id, token, expiresAt };
}

/** Looks at a token without using it, for the page that it opens. Throws NOT_FOUND, in words for who holds the link. */
export async function readToken(
  tx: Transaction | Database,
  { kind, token, now }: { kind: TokenKind; token: string; now: Date },
): Promise<OneTimeToken> {
  const row = WELL_FORMED.test(token)
    ? await tx.oneTimeToken.findUnique({ where: { hash: hashToken(token) } })
    : null;
  if (row === null || row.kind !== kind) {
    throw refusal('is not valid. Perhaps a newer one has taken its place, or a part of it is missing');
  }
  if (row.usedAt !== null) throw refusal('has been used already');
  if (row.expiresAt <= now) throw refusal('has expired');
  const { usedAt: _, hash: __, ...open } = row;
  return open;
}

/**
 * Uses a token up, in the transaction of what it allows: of many who try at once one gets it. Throws NOT_FOUND for a
 * token that is used, expired, replaced, made for something else, or none.
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
  if (count === 0) throw refusal('has been used already');
  return found;
}

/** Ends the reset links of a person that nobody has used, whoever asked for them. */
export async function endResetLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.oneTimeToken.deleteMany({ where: { kind: 'password_reset', userId, usedAt: null } });
}

function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** A link whose maker may not hand it out any more, or that is not for whom it was made; in words for who holds it. */
export function withdrawn(): DomainError {
  return refusal('was withdrawn: who made it may not hand it out any more, or your membership has changed');
}

function refusal(why: string): DomainError {
  return new DomainError('NOT_FOUND', `This link ${why}. Ask for a new one.`);
}

/** Where a password is reset, below the address of the app. */
export function resetPasswordPath(token: string): string {
  return `/reset-password?token=${token}`;
}

/** Where an account is made once its address is confirmed. */
export function confirmSignUpPath(token: string): string {
  return `/sign-up/confirm?token=${token}`;
}

/**
 * The address that links in mails begin with; null where none can be mailed. Only APP_URL will do: the Host of a request
 * is what the one who asks says it is, and the mail goes to somebody else.
 */
export function mailedLinkBase({ mail, appUrl }: Pick<Services, 'mail' | 'appUrl'>): string | null {
  return mail.isOn ? appUrl : null;
}

/**
 * Ends the links that were handed out for a membership or by it: call it in the transaction that changes the membership or
 * its role. Reset links for the person end wherever they were handed out, for they open the whole account; links that the
 * person handed out end where they did.
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

/**
 * Whether a role is enough to hand out a reset link for a member of another role: nobody opens an account above their
 * own.
 */
export function mayResetPassword(maker: Role, member: Role): boolean {
  return ROLES.indexOf(maker) >= ROLES.indexOf(member);
}

/**
 * Judges a reset link by what is true now, not when it was handed out: the person still belongs to the one organization
 * whose member made it, and that member may still do so. Throws NOT_FOUND, in words for who holds the link. A link that was
 * mailed to the person, or made by the operator, needs nobody's authority.
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
  const maker = memberships.find((one) => one.userId === createdBy && one.organizationId === organizationId);
  const isAllowed =
    maker !== undefined &&
    ofPerson.length === 1 &&
    own?.organizationId === organizationId &&
    permits({ actor: { kind: 'user', userId: maker.userId, role: maker.role } }, 'member.reset-password') &&
    mayResetPassword(maker.role, own.role);
  if (!isAllowed) throw withdrawn();
}
