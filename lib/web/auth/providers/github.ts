import type { OAuthConfig } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { parseJson } from '@/lib/core/parse-json';
import { PROVIDER_HTTP_OPTIONS } from '@/lib/platform/net/provider-agent';
import { emailAddress } from '@/lib/schemas/email-address';
import type { Claims, Provider, ProviderUser } from './provider';
import { SignInFailureError } from './sign-in-failures';

type Settings = {
  clientId: string;
  clientSecret: string;
  vouchesForDomains: boolean;
  /** GitHub and its API; others only in tests. */
  url?: string;
  apiUrl?: string;
};

/** What GET /user/emails returns: https://docs.github.com/rest/users/emails */
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * GitHub, which speaks OAuth 2, not OpenID Connect. The address in the profile is what people choose to publish; the primary one and
 * whether it is verified are at another endpoint.
 */
export function createGitHubProvider({
  clientId,
  clientSecret,
  vouchesForDomains,
  url = 'https://github.com',
  apiUrl = 'https://api.github.com',
}: Settings): Provider {
  const [id, name] = ['github', 'GitHub'] as const;
  const config: OAuthConfig<Claims> = {
    id,
    name,
    type: 'oauth',
    // GitHub sends it back with the code (RFC 9207).
    issuer: `${url}/login/oauth`,
    authorization: { url: `${url}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: {
      url: `${url}/login/oauth/access_token`,
      request: async ({ client, provider, params, checks }) => {
        const tokens = await client.oauthCallback(provider.callbackUrl, params, checks);
        // GitHub sends errors with the status 200, which openid-client takes for tokens.
        if (tokens.access_token === undefined) {
          throw new SignInFailureError('expired', `GitHub sent no token: ${String(tokens.error)}`);
        }
        return { tokens };
      },
    },
    userinfo: {
      url: `${apiUrl}/user`,
      request: async ({ client, tokens }) => {
        const token = tokens.access_token ?? '';
        const [profile, response] = await Promise.all([
          client.userinfo(token),
          client.requestResource(`${apiUrl}/user/emails`, token, {
            headers: { Accept: 'application/vnd.github+json' },
          }),
        ]);
        return { ...profile, ...readPrimaryEmail(response) };
      },
    },
    idToken: false,
    checks: ['pkce', 'state'],
    clientId,
    clientSecret,
    httpOptions: PROVIDER_HTTP_OPTIONS,
    profile: (claims): ProviderUser => {
      const email = emailAddress.safeParse(claims.email);
      const shown = [claims.name, claims.login].find((text) => typeof text === 'string' && text !== '');
      const identity = {
        providerName: name,
        issuer: url,
        subject: readId(claims.id),
        email: email.success ? email.data : null,
        isVerified: claims.email_verified === true,
        name: typeof shown === 'string' ? shown : null,
        role: null,
        vouchesForDomains,
      };
      return { id: identity.subject, email: identity.email, identity };
    },
  };
  return { id, name, issuer: url, config };
}

function readPrimaryEmail({ statusCode, body }: { statusCode?: number; body?: Buffer }): Claims {
  const found = statusCode === 200 ? emailsSchema.safeParse(parseJson(String(body))) : null;
  if (!found?.success)
    throw new SignInFailureError('unavailable', `GitHub sent no addresses (${statusCode})`);
  const primary = found.data.find((each) => each.primary);
  return { email: primary?.email, email_verified: primary?.verified };
}

/** GitHub's ID of an account is a number; the login can be changed and taken by others. */
function readId(id: unknown): string {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
  throw new SignInFailureError('rejected', 'GitHub sent a profile without an ID');
}
