const LINKS = 'invitations and password reset links';

export const MEMBER_REMOVAL = `They lose access immediately, in every browser, and the pending ${LINKS} that they created stop working. Everything else they created stays, including API keys, which belong to the organization.`;

export const LEAVING = `You lose access immediately, and the pending ${LINKS} that you created stop working. To rejoin, you need an invitation.`;

export const OWNERSHIP_TRANSFER = `They become an owner, and you become an admin. Pending ${LINKS} that either of you created stop working. Only an owner can reverse this.`;

export const INVITATION_REVOCATION = 'Its link will stop working. You can invite this address again.';

/** `isMailOn`: whether this service sends email. */
export function formatFactorReset({ isMailOn }: { isMailOn: boolean }): string {
  const effect =
    'For members who lost their phone and recovery codes. Make sure that they asked for it. Their authenticator app, passkeys and recovery codes stop working, and their sessions end.';
  return `${effect} ${isMailOn ? 'They are notified by email.' : 'They are not notified: email is not set up.'}`;
}
