import { capitalize } from '@/lib/core/text';

/** Why a sign-in with a provider failed, by the code in the address of the page: what happened and what to do next. */
const PROBLEMS: Readonly<Record<string, (name: string) => string>> = {
  unavailable: (name) => `${name} did not respond. Retry in a moment, or sign in another way.`,
  expired: () => 'This sign-in has expired or was already used. Start it again.',
  canceled: (name) => `${name} denied access, or you canceled.`,
  clock: (name) =>
    `The clocks of ${name} and this service differ by several minutes. Ask the operator to synchronize them.`,
  rejected: (name) =>
    `The response of ${name} could not be verified. Start again; if it happens again, contact the operator.`,
  unverified: (name) =>
    `${name} has not verified your email address. Verify it there, or sign in another way and link ${name} in your profile.`,
  'other-account': (name) =>
    `Your email address is already linked to another ${name} account. Sign in with that account, then link this one in your profile.`,
  'linked-elsewhere': (name) => `This account at ${name} is already linked to another user.`,
  'no-organization': () =>
    'The organization for new members was not found. Ask the operator to correct OIDC_ORGANIZATION.',
  'not-invited': () => 'There is no account for your email address. Ask an admin to invite you.',
  'no-membership': () => 'You are not a member of any organization. Ask an admin to invite you.',
  full: () =>
    'The organization has as many members as its plan allows. Ask the operator to change the plan, or an admin to remove a member.',
  // By next-auth, before anybody was sent to the provider.
  OAuthSignin: (name) => `${name} did not respond. Retry in a moment, or sign in another way.`,
};

/** The message for an error code. With several providers, the code does not say which one it was. */
export function formatProviderProblem(code: string, providers: readonly { name: string }[]): string {
  const [only] = providers;
  const name = providers.length === 1 && only ? only.name : 'the provider';
  const text = PROBLEMS[code]?.(name) ?? 'Sign-in failed. Start again.';
  return capitalize(text);
}
