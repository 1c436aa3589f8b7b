import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { TokenSet } from 'openid-client';
import type { Role } from '@/lib/domain/context/organization-context';
import { mapRole } from '@/lib/domain/members/identities/map-role';
import { PROVIDER_HTTP_OPTIONS } from '@/lib/platform/net/provider-agent';
import { emailAddress } from '@/lib/schemas/email-address';
import type { Claims, Provider, ProviderUser } from './provider';

import { SignInFailureError } from './sign-in-failures';

/** How far the clocks of provider and Pharos may be apart. */
const MAX_SKEW_SECONDS = 300;

type Settings = {
  id: Provider['id'];
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** How claims become a role; null: they do not. */
  roles: { claim: string; rules: readonly { value: string; role: Role }[] } | null;
  vouchesForDomains: boolean;
  /** Whether the provider has verified the address in its claims. */
  isVerified: (claims: Claims) => boolean;
};

/** A provider that speaks OpenID Connect: next-auth discovers it, and checks state, nonce, PKCE, issuer, audience and signature. */
export function createOidcProvider({
  id,
  name,
  issuer,
  clientId,
  clientSecret,
  scope,
  ...settings
}: Settings): Provider {
  const config: OAuthConfig<Claims> = {
    id,
    name,
    type: 'oauth',
    wellKnown: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    authorization: { params: { scope } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    clientId,
    clientSecret,
    httpOptions: PROVIDER_HTTP_OPTIONS,
    token: {
      request: async ({ client, provider, params, checks }) => {
        // Before the client secret is sent: anyone could respond to discovery with the name of another issuer.
        requireIssuer(client.issuer.metadata.issuer, issuer);
        const tokens = await client.callback(provider.callbackUrl, params, checks);
        requireSameClock(tokens.claims().iat);
        return { tokens };
      },
    },
    userinfo: {
      // Many providers put the address or the groups only here. What is signed wins.
      request: async ({ client, tokens }) => {
        // Typed as their properties only; with the object, openid-client also compares the subjects.
        const verified = tokens as TokenSet;
        const signed = verified.claims();
        if (client.issuer.metadata.userinfo_endpoint === undefined) return signed;
        return { ...(await client.userinfo(verified)), ...signed };
      },
    },
    profile: (claims): ProviderUser => {
      const email = emailAddress.safeParse(claims.email);
      const identity = {
        providerName: name,
        issuer,
        subject: String(claims.sub),
        email: email.success ? email.data : null,
        isVerified: settings.isVerified(claims),
        name: typeof claims.name === 'string' ? claims.name : null,
        role: settings.roles && mapRole(claims, settings.roles.claim, settings.roles.rules),
        vouchesForDomains: settings.vouchesForDomains,
      };
      return { id: identity.subject, email: identity.email, identity };
    },
  };
  return { id, name, issuer, config };
}

function requireIssuer(found: string, configured: string): void {
  const [left, right] = [found, configured].map((url) => url.replace(/\/$/, ''));
  if (left === right) return;
  throw new SignInFailureError('rejected', `the provider calls itself ${found}, not ${configured}`);
}

/** openid-client accepts tokens from the future, and old ones with a long life. */
function requireSameClock(issuedAt: number): void {
  const skew = Math.round(issuedAt - Date.now() / 1000);
  if (Math.abs(skew) <= MAX_SKEW_SECONDS) return;
  throw new SignInFailureError(
    'clock',
    `the clock of the provider is ${skew} seconds ahead of this machine's`,
  );
}
