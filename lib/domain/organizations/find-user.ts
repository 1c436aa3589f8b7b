import type { Services } from '@/lib/domain/context/services';
import { verifyPassword } from './password';

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
