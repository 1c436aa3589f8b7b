import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Database, Transaction } from '@/lib/platform/db/client';

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
