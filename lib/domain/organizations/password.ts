import { hash, verify } from '@node-rs/argon2';
import type { Services } from '@/lib/domain/context/services';

/** The argon2id parameters recommended by OWASP: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** The argon2id hash of a password, including salt and cost. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/**
 * Whether a password matches a hash. Without a hash (unknown user) it takes as long and returns false, so that timing does
 * not reveal which addresses exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no one has this password');
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== null && matches;
}

/** The user with this address and password, or null; an unknown address takes as long as a wrong password. */
export async function findUserByPassword(
  { db }: Services,
  email: string,
  password: string,
): Promise<{ id: string; email: string; name: string | null } | null> {
  const user = await db.user.findUnique({ where: { email } });
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  return user && matches ? { id: user.id, email: user.email, name: user.name } : null;
}
