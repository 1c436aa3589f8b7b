/** What is known when a provider has proven who a visitor is. */
export type IdentityFacts = {
  /** The user to whom this account at the provider is linked. */
  owner: string | null;
  /** The signed-in user who asked to link it. */
  linker: string | null;
  /** The user with the address that the provider states. */
  holder: string | null;
  /** The holder has another account of the same provider linked: the address may have passed to somebody else. */
  isHolderLinked: boolean;
  /** The provider has verified that the visitor has the address. */
  isVerified: boolean;
  /** The provider decides who belongs to the domain of the address. */
  isDomainAllowed: boolean;
  /** Where people of an allowed domain land; null: the configured organization does not exist. */
  landsIn: string | null;
  /** The address has an open invitation. */
  isInvited: boolean;
  /** Anybody can sign up. */
  isSignUpOpen: boolean;
};

/** Why a provider's account is not accepted. */
export const IDENTITY_REFUSALS = [
  'linked-elsewhere',
  'unverified',
  'other-account',
  'no-organization',
  'not-invited',
] as const;

type Refusal = (typeof IDENTITY_REFUSALS)[number];

/** `join`: a new user lands in an organization. `invited`: they accept theirs later. `founder`: they get their own. */
export type IdentityDecision =
  | { act: 'sign in' | 'link'; userId: string }
  | { act: 'join'; organizationId: string }
  | { act: 'create'; as: 'invited' | 'founder' }
  | { act: 'refuse'; reason: Refusal };

/**
 * Whom an account at a provider signs in. An address counts only if the provider has verified it, and accounts are created only for
 * people who were expected: otherwise, everyone whom the provider knows could get in.
 */
export function decideIdentity(facts: IdentityFacts): IdentityDecision {
  const { owner, linker, holder } = facts;
  if (linker !== null) {
    if (owner === null) return { act: 'link', userId: linker };
    return owner === linker ? { act: 'sign in', userId: owner } : refuse('linked-elsewhere');
  }
  if (owner !== null) return { act: 'sign in', userId: owner };
  if (!facts.isVerified) return refuse('unverified');
  if (holder !== null) {
    return facts.isHolderLinked ? refuse('other-account') : { act: 'link', userId: holder };
  }
  if (facts.isDomainAllowed && facts.landsIn !== null) {
    return { act: 'join', organizationId: facts.landsIn };
  }
  if (facts.isInvited) return { act: 'create', as: 'invited' };
  if (facts.isSignUpOpen) return { act: 'create', as: 'founder' };
  return refuse(facts.isDomainAllowed ? 'no-organization' : 'not-invited');
}

function refuse(reason: Refusal): IdentityDecision {
  return { act: 'refuse', reason };
}
