import type { Role } from '@/lib/domain/context/organization-context';
import { ROLES } from '@/lib/domain/context/permissions';

type Claims = Readonly<Record<string, unknown>>;

/** The highest role that the values of a claim give; null: none. `claim` is its name, or a path such as `realm_access.roles`. */
export function mapRole(
  claims: Claims,
  claim: string,
  rules: readonly { value: string; role: Role }[],
): Role | null {
  const found = claims[claim] ?? readPath(claims, claim.split('.'));
  const values = new Set<unknown>(Array.isArray(found) ? found : [found]);
  const given = rules.filter(({ value }) => values.has(value)).map(({ role }) => role);
  return ROLES.findLast((role) => given.includes(role)) ?? null;
}

function readPath(claims: Claims, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    claims,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
