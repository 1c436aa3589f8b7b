import type { Keyring } from '@/lib/core/keyring';
import type { MemberLink } from '@/lib/schemas/people';

/** The member who receives an email, and what it is part of. */
type Receiver = { organizationId: string; userId: string; list: MemberLink['list'] };

/**
 * The URL where a member turns off the alerts or the digest of an organization, signed in or not; a POST of an RFC 8058 mail client turns
 * them off at once. Its token is a MAC of the member, so it is not stored; it is valid while its key is SECRET_KEY or in
 * PREVIOUS_SECRET_KEYS.
 */
export function memberUnsubscribeUrl(
  keyring: Keyring,
  appUrl: string,
  { organizationId: organization, userId: user, list }: Receiver,
): string {
  const token = keyring.derive(purpose({ organization, user, list }));
  return `${appUrl}/unsubscribe?${new URLSearchParams({ organization, user, list, token })}`;
}

/** Whether the token of a link is that of its member. */
export function isMemberLink(keyring: Keyring, { token, ...member }: MemberLink): boolean {
  return keyring.isDerived(purpose(member), token);
}

function purpose({ organization, user, list }: Omit<MemberLink, 'token'>): string {
  return `turn off ${list} ${organization} ${user}`;
}
