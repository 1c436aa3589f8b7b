import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { composeFactorMail } from '../second-factor/factor-mails';

/** After a passkey was added. `isFirst`: it is the person's first second factor. */
export function passkeyAddedMail(
  appUrl: string | null,
  { name, isFirst }: { name: string; isFirst: boolean },
): MailContent {
  const effect = isFirst
    ? ' Signing in now requires a second factor, and your other sessions were ended.'
    : '';
  return composeFactorMail(
    appUrl,
    'A passkey was added',
    `The passkey “${name}” was added to your account.${effect}`,
  );
}

/** After the person removed one. `isLast`: they have no second factor now. */
export function passkeyRemovedMail(
  appUrl: string | null,
  { name, isLast }: { name: string; isLast: boolean },
): MailContent {
  const effect = isLast ? ' Signing in no longer requires a second factor.' : '';
  return composeFactorMail(
    appUrl,
    'A passkey was removed',
    `The passkey “${name}” was removed from your account and no longer signs you in.${effect}`,
  );
}
