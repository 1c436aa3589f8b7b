import { parseUrl } from '@/lib/core/parse-url';
import { HIDDEN } from '@/lib/schemas/hidden';

/** How an HTTP check proves who it is. */
export type Authentication =
  | { method: 'basic'; username: string; password: string }
  | { method: 'bearer'; token: string }
  | { method: 'digest'; username: string; password: string }
  | { method: 'oauth2'; tokenUrl: string; clientId: string; clientSecret: string; scope: string | null };

export type AuthenticationMethod = Authentication['method'];

/** The part of each method that is hidden from those who may not change the monitor. */
export const SECRET_PARTS = {
  basic: 'password',
  bearer: 'token',
  digest: 'password',
  oauth2: 'clientSecret',
} as const satisfies Record<AuthenticationMethod, string>;

/** The secret of an authentication. */
export function secretOf(authentication: Authentication): string {
  const parts: Readonly<Record<string, string | null>> = authentication;
  return parts[SECRET_PARTS[authentication.method]] ?? '';
}

/** An authentication with another secret. */
export function withSecret(authentication: Authentication, secret: string): Authentication {
  return { ...authentication, [SECRET_PARTS[authentication.method]]: secret };
}

/** An authentication without its secret. */
export function hideAuthentication(authentication: Authentication | null): Authentication | null {
  return authentication && withSecret(authentication, HIDDEN);
}

/** Where a secret is sent in addition to the target; empty for the target only. */
export function tokenOriginOf(authentication: Authentication | null): string {
  if (authentication?.method !== 'oauth2') return '';
  const { tokenUrl } = authentication;
  return parseUrl(tokenUrl)?.origin ?? String(tokenUrl);
}

/** Whether an authentication can keep the secret of a stored one: it is of the same method, and goes to the same token endpoint. */
export function canKeepSecret(given: Authentication | null, stored: Authentication | null): boolean {
  return given?.method === stored?.method && tokenOriginOf(given) === tokenOriginOf(stored);
}
