import type { Visibility } from '@/lib/schemas/status-pages/visibility';

/** What a visitor proved, checked by the caller for this page and its current version. */
export type AccessProof = {
  /** A valid token of the page. */
  hasToken: boolean;
  /** A pass that the page gave this browser: for its password, or to a member on the domain of the page. */
  hasPass: boolean;
  /** Whether the person who is signed in is a member of the organization; null: no one is signed in. */
  isMember: boolean | null;
  /** Whether the address is one of those allowed; false if it is unknown. */
  isAllowedAddress: boolean;
};

/**
 * What is requested: a `document` for people, who can enter a password or sign in; or `data` for programs, which can have a token.
 */
export type Requested = 'document' | 'data';

/** Show it, ask for the password, send to the sign-in, or respond as if the page did not exist. */
export type Access = 'show' | 'askPassword' | 'askSignIn' | 'hide';

/** Decides who may see something of a published page. */
export function decideAccess(visibility: Visibility, requested: Requested, proof: AccessProof): Access {
  if (visibility === 'public') return 'show';
  if (requested === 'data' && proof.hasToken) return 'show';
  switch (visibility) {
    case 'password':
      if (proof.hasPass) return 'show';
      return requested === 'document' ? 'askPassword' : 'hide';
    case 'ip':
      return proof.isAllowedAddress ? 'show' : 'hide';
    case 'members':
      if (proof.hasPass || proof.isMember) return 'show';
      return requested === 'document' && proof.isMember === null ? 'askSignIn' : 'hide';
  }
}
