import type { NewcomerRules } from '@/lib/domain/members/identities/identity';
import type { Environment } from '@/lib/env';
import { createGitHubProvider } from './github';
import { createOidcProvider } from './oidc';
import type { Claims, Provider } from './provider';

/**
 * The providers that the environment configures, in the order in which screens offer them. The allowed domains are those of the own
 * issuer, if there is one: addresses at others outlive employment. Tests have another issuer for Google.
 */
export function createProviders(environment: Environment, { googleIssuer = GOOGLE } = {}): Provider[] {
  const { OIDC_ISSUER: issuer } = environment;
  const own = readClient(environment.OIDC_CLIENT_ID, environment.OIDC_CLIENT_SECRET);
  const google = readClient(environment.GOOGLE_CLIENT_ID, environment.GOOGLE_CLIENT_SECRET);
  const github = readClient(environment.GITHUB_CLIENT_ID, environment.GITHUB_CLIENT_SECRET);
  const vouchesForDomains = issuer === undefined;
  const providers: Provider[] = [];
  if (issuer !== undefined && own) {
    providers.push(
      createOidcProvider({
        id: 'oidc',
        name: environment.OIDC_NAME,
        issuer,
        ...own,
        scope: environment.OIDC_SCOPE,
        roles: { claim: environment.OIDC_ROLE_CLAIM, rules: environment.OIDC_ROLES },
        vouchesForDomains: true,
        isVerified: isVerifiedByIssuer,
      }),
    );
  }
  if (google) {
    providers.push(
      createOidcProvider({
        id: 'google',
        name: 'Google',
        issuer: googleIssuer,
        ...google,
        scope: 'openid email profile',
        roles: null,
        vouchesForDomains,
        isVerified: isVerifiedByGoogle,
      }),
    );
  }
  if (github) providers.push(createGitHubProvider({ ...github, vouchesForDomains }));
  return providers;
}

const GOOGLE = 'https://accounts.google.com';

function readClient(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
}

/** `xms_edov` is what Entra ID has instead: the organization owns the domain of the address. Some issuers send texts. */
function isVerifiedByIssuer({ email_verified: standard, xms_edov: entra }: Claims): boolean {
  return [true, 'true', 1, '1'].some((yes) => yes === standard || (standard === undefined && yes === entra));
}

/** Google is the authority for its own addresses and those of Workspace (`hd`); others can have passed to somebody else since. */
export function isVerifiedByGoogle({ email, email_verified: verified, hd }: Claims): boolean {
  const isOwn = typeof email === 'string' && /@gmail\.com$/i.test(email);
  return verified === true && (isOwn || (typeof hd === 'string' && hd !== ''));
}

/** Whom providers can bring in, according to the environment. */
export function readNewcomerRules(environment: Environment): NewcomerRules {
  return {
    organization: environment.OIDC_ORGANIZATION ?? null,
    allowedDomains: environment.OIDC_ALLOWED_DOMAINS,
    isSignUpOpen: environment.SIGN_UP === 'open',
    plan: environment.DEFAULT_PLAN,
  };
}
