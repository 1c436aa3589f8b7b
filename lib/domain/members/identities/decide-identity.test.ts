import { describe, expect, it } from 'vitest';
import { decideIdentity, type IdentityFacts } from './decide-identity';

const NOBODY: IdentityFacts = {
  owner: null,
  linker: null,
  holder: null,
  isHolderLinked: false,
  isVerified: true,
  isDomainAllowed: false,
  landsIn: 'org',
  isInvited: false,
  isSignUpOpen: false,
};

const refusal = (reason: string) => ({ act: 'refuse', reason });

describe('an account at a provider', () => {
  it.each<[string, Partial<IdentityFacts>, object]>([
    [
      'that is linked signs its user in',
      { owner: 'ada', isVerified: false },
      { act: 'sign in', userId: 'ada' },
    ],
    [
      'that is linked stays so when its address is another user’s',
      { owner: 'ada', holder: 'bob' },
      { act: 'sign in', userId: 'ada' },
    ],
    [
      'with the verified address of a user is linked to them',
      { holder: 'ada' },
      { act: 'link', userId: 'ada' },
    ],
    ['with an unverified address is not', { holder: 'ada', isVerified: false }, refusal('unverified')],
    [
      'with the address of a user who has another one there is not',
      { holder: 'ada', isHolderLinked: true },
      refusal('other-account'),
    ],
    ['of a stranger creates nothing', {}, refusal('not-invited')],
    [
      'of an allowed domain joins the organization',
      { isDomainAllowed: true },
      { act: 'join', organizationId: 'org' },
    ],
    [
      'of an allowed domain, unverified, does not',
      { isDomainAllowed: true, isVerified: false },
      refusal('unverified'),
    ],
    [
      'of an allowed domain without an organization creates nothing',
      { isDomainAllowed: true, landsIn: null },
      refusal('no-organization'),
    ],
    ['of an invited person creates a user', { isInvited: true }, { act: 'create', as: 'invited' }],
    [
      'of an invited person, unverified, does not',
      { isInvited: true, isVerified: false },
      refusal('unverified'),
    ],
    [
      'of anybody creates a user where all can sign up',
      { isSignUpOpen: true },
      { act: 'create', as: 'founder' },
    ],
    ['of anybody, unverified, does not', { isSignUpOpen: true, isVerified: false }, refusal('unverified')],
    [
      'is linked to the user who asked for it, whatever its address',
      { linker: 'ada', holder: 'bob', isVerified: false },
      { act: 'link', userId: 'ada' },
    ],
    [
      'that the same user has linked already is only used',
      { linker: 'ada', owner: 'ada' },
      { act: 'sign in', userId: 'ada' },
    ],
    ['of another user is not taken over', { linker: 'ada', owner: 'bob' }, refusal('linked-elsewhere')],
  ])('%s', (_, facts, decision) => {
    expect(decideIdentity({ ...NOBODY, ...facts })).toEqual(decision);
  });

  it('never creates or finds a user by an unverified address', () => {
    const booleans = [false, true];
    for (const isDomainAllowed of booleans)
      for (const isInvited of booleans)
        for (const isSignUpOpen of booleans)
          for (const holder of [null, 'ada']) {
            const facts = { isDomainAllowed, isInvited, isSignUpOpen, holder, isVerified: false };
            expect(decideIdentity({ ...NOBODY, ...facts })).toEqual(refusal('unverified'));
          }
  });
});
