import { hash, verify } from '@node-rs/argon2';
import type { Services } from '@/lib/domain/context/services';

/** OWASP's argon2id: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** The argon2id hash of a password, salt and cost included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/**
 * Whether the password is the one that was hashed. Without a hash (no such person) it takes just as long and answers
 * false, so that timing does not tell which addresses exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no one has this password');
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== null && matches;
}

/** The user of this address and password, or null; an unknown address takes as long as a wrong password. */
export async function findUserByPassword(
  { db }: Services,
  email: string,
  password: string,
): Promise<{ id: string; email: string; name: string | null } | null> {
  const user = await db.user.findUnique({ where: { email } });
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  return user && matches ? { id: user.id, email: user.email, name: user.name } : null;
}
