/** What protects the account besides what is removed, and whether an organization requires a second factor by now. */
type Left = { hasOther: boolean; isRequired: boolean };

/** What removing the authenticator app means. */
export function formatAppRemoval({ hasOther, isRequired }: Left): string {
  const again = 'To use another phone, set it up again afterwards.';
  if (hasOther) return `Your passkeys and recovery codes remain your second factor. ${again}`;
  const effect = 'Your recovery codes stop working.';
  return isRequired
    ? `${effect} Your organization requires a second factor: you must set one up again before you can continue.`
    : `You will sign in without a code. ${effect} ${again}`;
}

/** What removing a passkey means. */
export function formatPasskeyRemoval({ hasOther, isRequired }: Left): string {
  const effect = 'It no longer signs you in. Delete it from your device or password manager, too.';
  if (hasOther) return effect;
  return isRequired
    ? `${effect} It is your only second factor, which your organization requires: set up another one first.`
    : `${effect} It is your only second factor: your recovery codes stop working.`;
}

export const CODES_RENEWAL = 'The codes that you have now stop working.';

export const ACCOUNT_DELETION =
  'This permanently deletes your account: sessions, passkeys, linked accounts, and your membership of every organization. Your past activity there stays, without your name.';
