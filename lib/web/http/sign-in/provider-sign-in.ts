import 'server-only';
import { DomainError } from '@/lib/core/errors';
import { admitIdentity } from '@/lib/domain/members/identities/admit-identity';
import type { ProvenIdentity } from '@/lib/domain/members/identities/identity';
import { getEnvironment } from '@/lib/env';
import { createProviders, readNewcomerRules } from '@/lib/web/auth/providers/create-providers';
import type { Provider } from '@/lib/web/auth/providers/provider';
import { readVisitor } from '../dashboard-session';
import { getWeb } from '../server-services';
import { endLinking } from './link-intent';
import { pathAfter, signInVisitorBy } from './visitor-sign-in';

let providers: Provider[] | undefined;

/** The providers of this installation. */
export function listProviders(): readonly Provider[] {
  providers ??= createProviders(getEnvironment());
  return providers;
}

/** What screens offer of them. */
export function showProviders(): { id: string; name: string }[] {
  return listProviders().map(({ id, name }) => ({ id, name }));
}

/** What people call the provider of a linked account, which may no longer be configured. */
export function nameProvider(issuer: string): string {
  return listProviders().find((provider) => provider.issuer === issuer)?.name ?? new URL(issuer).host;
}

const PROFILE = '/settings/profile';

/**
 * Signs the sender of this request in with an account that a provider has proven, or links it if they asked for that. Returns where the
 * browser continues: `callbackUrl`, what is still missing, or a page that shows why it was refused.
 */
export async function signInByProvider(identity: ProvenIdentity, callbackUrl: string): Promise<string> {
  const { services, log } = getWeb();
  const linker = await endLinking();
  const problem = (code: string) => failurePath(code, { isLinking: linker !== null, callbackUrl });
  try {
    const { address } = await readVisitor();
    const rules = readNewcomerRules(getEnvironment());
    const admission = await admitIdentity(services, rules, { identity, linker, address });
    if ('refused' in admission) return problem(admission.refused);
    if (linker !== null) return PROFILE;
    const outcome = await signInVisitorBy({ userId: admission.userId, method: 'provider' });
    return pathAfter(outcome, callbackUrl);
  } catch (error) {
    const code = error instanceof DomainError ? error.code : null;
    if (code === 'PLAN_LIMIT_EXCEEDED') return problem('full');
    if (code === 'FORBIDDEN') return problem('no-membership');
    // next-auth would put the message into the address of the page.
    log.error({ err: error }, 'could not sign in with a provider');
    return problem('failed');
  }
}

/** The page that shows why a sign-in with a provider failed. */
export function failurePath(
  error: string,
  { isLinking, callbackUrl }: { isLinking: boolean; callbackUrl: string },
): string {
  if (isLinking) return `${PROFILE}?${new URLSearchParams({ error })}`;
  return `/sign-in?${new URLSearchParams({ error, callbackUrl })}`;
}
