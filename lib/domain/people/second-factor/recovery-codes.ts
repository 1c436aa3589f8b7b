import { createHash, randomInt } from 'node:crypto';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';

/** How many a person gets at a time. */
export const RECOVERY_CODES = 10;

/** Without characters that look alike. */
const ALPHABET = [...'0123456789abcdefghijklmnopqrstuvwxyz']
  .filter((each) => !'01ilo'.includes(each))
  .join('');
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Replaces the recovery codes of a person. Returns the new ones, in clear text in the return value only. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId, hash: hashCode(code) })) });
  return codes;
}

/** Uses a recovery code up. False if it is wrong or used; of several concurrent attempts only one returns true. */
export async function consumeRecoveryCode(
  tx: Transaction,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { userId, hash: hashCode(code), usedAt: null },
    data: { usedAt: now },
  });
  return count > 0;
}

/** How many of a person's recovery codes still work. */
export function countRecoveryCodes(
  { db }: { db: Services['db'] | Transaction },
  userId: string,
): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}

function createCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Of the code without hyphens and spaces, in either case. 79 random bits cannot be guessed, so a fast hash is enough. */
function hashCode(code: string): Uint8Array<ArrayBuffer> {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return new Uint8Array(createHash('sha256').update(plain).digest());
}
