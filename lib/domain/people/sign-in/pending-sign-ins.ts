import { createHash, randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@/lib/platform/db/client';
import type { SignInMethod } from './decide-sign-in';

/** How long a person has for the rest of a sign-in, in seconds. */
export const PENDING_SECONDS = 600;

/** At most this many are open per person; a new one replaces the oldest. */
export const MAX_PENDING = 10;

/** What was proven, and by which person. */
export type Proof = { userId: string; method: SignInMethod };

/** 256 bits cannot be guessed, so a fast hash is enough. */
const TOKEN_BYTES = 32;

/** Remembers a proof for ten minutes. Returns the token of its sign-in, in clear text in the return value only. */
export async function openPendingSignIn(
  tx: Transaction,
  { userId, method }: Proof,
  now: Date,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await tx.$executeRaw`
    DELETE FROM pending_sign_in WHERE user_id = ${userId} AND (expires_at <= ${now} OR hash IN (
      SELECT hash FROM pending_sign_in WHERE user_id = ${userId}
       ORDER BY created_at DESC, hash OFFSET ${MAX_PENDING - 1}))`;
  const expiresAt = new Date(now.getTime() + PENDING_SECONDS * 1000);
  await tx.pendingSignIn.create({
    data: { hash: hashToken(token), userId, method, createdAt: now, expiresAt },
  });
  return token;
}

/** The proof that a token stands for; null if it is unknown, used or expired. */
export async function readPendingSignIn(
  db: Database | Transaction,
  token: string,
  now: Date,
): Promise<Proof | null> {
  const where = { hash: hashToken(token), expiresAt: { gt: now } };
  return db.pendingSignIn.findFirst({ where, select: { userId: true, method: true } });
}

/** Uses the token up, in the transaction of the session it leads to; of several concurrent attempts only one returns true. */
export async function endPendingSignIn(tx: Transaction, token: string, now: Date): Promise<boolean> {
  const where = { hash: hashToken(token), expiresAt: { gt: now } };
  return (await tx.pendingSignIn.deleteMany({ where })).count > 0;
}

/** Ends everything that a person has begun, such as when their password changes. */
export async function endPendingSignInsOf(tx: Transaction, userId: string): Promise<void> {
  await tx.pendingSignIn.deleteMany({ where: { userId } });
}

function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
