import { describe, expect, it } from 'vitest';
import { decideSignIn, SIGN_IN_METHODS, type SignInFacts } from './decide-sign-in';

const BELONGS = ['member', 'invited', 'nowhere'] as const;
const BOOLEANS = [false, true];

/** Every combination of what can be known of a sign-in. */
const ALL: SignInFacts[] = SIGN_IN_METHODS.flatMap((method) =>
  BELONGS.flatMap((belongs) =>
    BOOLEANS.flatMap((hasFactor) =>
      BOOLEANS.flatMap((isFactorRequired) =>
        BOOLEANS.map((isFactorProven) => ({ method, belongs, hasFactor, isFactorRequired, isFactorProven })),
      ),
    ),
  ),
);

const count = (facts: readonly SignInFacts[]) => {
  const decisions = facts.map(decideSignIn);
  return Object.fromEntries(
    [...new Set(decisions)].sort().map((each) => [each, decisions.filter((one) => one === each).length]),
  );
};

describe('a sign-in', () => {
  it('is refused, whatever was proven, without an organization or an invitation', () => {
    const nowhere = ALL.filter(({ belongs }) => belongs === 'nowhere');
    expect(count(nowhere)).toEqual({ refused: 40 });
    expect(count(ALL.filter((facts) => !nowhere.includes(facts)))).not.toHaveProperty('refused');
  });

  const admitted = ALL.filter(({ belongs }) => belongs !== 'nowhere');

  it('by passkey, or with a second factor, has its session', () => {
    const both = admitted.filter(({ method, isFactorProven }) => method === 'passkey' || isFactorProven);
    expect(count(both)).toEqual({ session: 48 });
  });

  it.each(SIGN_IN_METHODS.filter((method) => method !== 'passkey'))(
    'by %s alone lacks what the person has set up or their organization requires',
    (method) => {
      const facts = { method, isFactorProven: false, belongs: 'member' } as const;
      expect(decideSignIn({ ...facts, hasFactor: false, isFactorRequired: false })).toBe('session');
      expect(decideSignIn({ ...facts, hasFactor: false, isFactorRequired: true })).toBe('enrollment');
      expect(decideSignIn({ ...facts, hasFactor: true, isFactorRequired: false })).toBe('second factor');
      expect(decideSignIn({ ...facts, hasFactor: true, isFactorRequired: true })).toBe('second factor');
    },
  );

  it('of an invited person is decided like that of a member', () => {
    for (const facts of admitted) {
      expect(decideSignIn({ ...facts, belongs: 'invited' })).toBe(
        decideSignIn({ ...facts, belongs: 'member' }),
      );
    }
  });
});
