import type { User } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { ProvenIdentity } from '@/lib/domain/members/identities/identity';

/** The claims or the profile of a person, as the provider sends them. */
export type Claims = Readonly<Record<string, unknown>>;

/** A provider as next-auth uses it, and what the screens and the domain know of it. */
export type Provider = {
  id: 'oidc' | 'github' | 'google';
  name: string;
  /** Identifies the provider in `identity`. */
  issuer: string;
  config: OAuthConfig<Claims>;
};

/** What the `profile` callbacks of all providers return: next-auth passes it on to `signIn`. */
export type ProviderUser = User & { identity: ProvenIdentity };

/** The identity that a provider's `profile` callback returned; null for other users. */
export function identityOf(user: object): ProvenIdentity | null {
  return 'identity' in user ? (user as ProviderUser).identity : null;
}
