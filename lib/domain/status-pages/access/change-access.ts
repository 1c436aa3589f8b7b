import { invalidField } from '@/lib/core/errors';
import { hashPassword } from '@/lib/domain/organizations/password';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';
import { planLimit } from '@/lib/plans/plan-limit';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';

/** Fields of a page with the hash of their password instead of the password. */
export type HashedAccess<Fields> = Omit<Fields, 'password'> & { passwordHash?: string | null };

/** Replaces a password by its hash: null removes it, and without one the stored one stays. */
export async function hashAccess<Fields extends { password?: string | null | undefined }>({
  password,
  ...fields
}: Fields): Promise<HashedAccess<Fields>> {
  if (password === undefined) return fields;
  return { ...fields, passwordHash: password === null ? null : await hashPassword(password) };
}

/** Changes without a password that was not changed: `[hidden]` keeps the stored one. */
export function withoutHiddenPassword<Changes extends { password?: string | null | undefined }>(
  changes: Changes,
): Changes {
  if (changes.password !== HIDDEN) return changes;
  const { password: _, ...others } = changes;
  return others as Changes;
}

type Access = { visibility: Visibility; hasPassword: boolean; allowedCidrs: readonly string[] };

/**
 * Throws VALIDATION_ERROR for a visibility without what it requires, and PLAN_LIMIT_EXCEEDED for one that the plan does not include;
 * null: the visibility does not change.
 */
export function requireAccess(
  { visibility, hasPassword, allowedCidrs }: Access,
  { plan, knowsAddresses }: { plan: PlanId | null; knowsAddresses: boolean },
): void {
  if (visibility === 'password' && !hasPassword) {
    throw invalidField('password', 'is required for the visibility password');
  }
  if (visibility === 'ip' && allowedCidrs.length === 0) {
    throw invalidField('allowedCidrs', 'must not be empty for the visibility ip');
  }
  if (visibility === 'public' || plan === null) return;
  if (visibility === 'ip' && !knowsAddresses) {
    const reason =
      'cannot be ip: the operator of this service must set TRUSTED_PROXIES to the proxies in front of it, or to none';
    throw invalidField('visibility', reason);
  }
  if (!PLANS[plan].privatePages) {
    throw planLimit(
      `The ${plan} plan does not include private status pages.`,
      ({ privatePages }) => privatePages,
    );
  }
}

/** Whether a change ends the access of everyone who had it: to the password or the visibility, or to the allowed addresses. */
export function changesPasses(
  before: Access,
  changes: { visibility?: Visibility; password?: string | null; allowedCidrs?: readonly string[] },
): boolean {
  const { visibility = before.visibility, password, allowedCidrs = before.allowedCidrs } = changes;
  const isNewList = allowedCidrs.join() !== before.allowedCidrs.join();
  return visibility !== before.visibility || password !== undefined || isNewList;
}
