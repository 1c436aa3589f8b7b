/** How a person can prove who they are. */
export const SIGN_IN_METHODS = ['password', 'invitation', 'setup', 'provider', 'passkey'] as const;

export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** What is known of a person who has proven who they are. */
export type SignInFacts = {
  method: SignInMethod;
  /** A second factor was proven in this sign-in, too. */
  isFactorProven: boolean;
  /** The person has set up a second factor. */
  hasFactor: boolean;
  /** One of their organizations requires a second factor, and its grace period is over. */
  isFactorRequired: boolean;
  /** `invited`: a member of no organization, but with an open invitation to one. */
  belongs: 'member' | 'invited' | 'nowhere';
};

/** `second factor` and `enrollment`: what the sign-in still lacks. */
export type SignInDecision = 'session' | 'second factor' | 'enrollment' | 'refused';

/**
 * Whether a sign-in gets its session, or what it still lacks. A passkey is both factors: it is a device, unlocked by a PIN or
 * biometrics. A provider is one: what it asked for is not known.
 */
export function decideSignIn({
  method,
  isFactorProven,
  hasFactor,
  isFactorRequired,
  belongs,
}: SignInFacts): SignInDecision {
  if (belongs === 'nowhere') return 'refused';
  if (isFactorProven || method === 'passkey') return 'session';
  if (hasFactor) return 'second factor';
  return isFactorRequired ? 'enrollment' : 'session';
}
