'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { IconLabel } from '@/components/ui/icon-label';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';
import type { EmailRecipient } from '@/lib/schemas/email-recipient';
import { RECIPIENT_DELETION } from '../consequences';
import { RECIPIENT_STYLES } from './recipient-list';

type Props = {
  recipient: EmailRecipient;
  now: string;
  /** Null: this service cannot send email. */
  resend: (() => Promise<ActionProblem>) | null;
  remove: () => Promise<ActionProblem>;
};

/** The status of a recipient, and what can be done about it. */
export function RecipientActions({ recipient, now, resend, remove }: Props) {
  const { status, email, confirmationSentAt } = recipient;
  const canResend = resend !== null && (status === 'pending' || status === 'unsubscribed');
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5">
      <IconLabel {...RECIPIENT_STYLES[status]} className="w-32" />
      <p className="min-w-0 flex-1 basis-48 text-sm text-muted">
        {status !== 'pending' ? (
          TEXTS[status]
        ) : confirmationSentAt === null ? (
          'No confirmation was sent yet.'
        ) : (
          <>
            Confirmation sent <Moment at={confirmationSentAt} now={now} />. Nothing else is sent until it is
            confirmed.
          </>
        )}
      </p>
      {canResend ? <ResendButton resend={resend} isAgain={confirmationSentAt !== null} /> : null}
      <ConfirmButton
        title={`Delete ${email}?`}
        description={RECIPIENT_DELETION}
        confirm="Delete"
        action={remove}
      >
        Delete
      </ConfirmButton>
    </div>
  );
}

const TEXTS: Record<Exclude<EmailRecipient['status'], 'pending'>, string> = {
  active: 'Alerts are sent to this address.',
  disabled: 'Confirmed, but turned off below.',
  unsubscribed: 'Its owner stopped the alerts. Only they can start them again, with a new confirmation.',
};

function ResendButton({ resend, isAgain }: { resend: () => Promise<ActionProblem>; isAgain: boolean }) {
  const [problem, action, isPending] = useActionState<ActionProblem>(resend, null);
  return (
    <form action={action} className="flex flex-col gap-2">
      <SubmitButton isPending={isPending}>
        {isAgain ? 'Resend confirmation' : 'Send confirmation'}
      </SubmitButton>
      <ProblemAlert problem={problem} />
    </form>
  );
}
