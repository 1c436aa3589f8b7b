'use client';

import { useActionState } from 'react';
import { EmailOffNote } from '@/components/mail-server/email-off-note';
import type { ActionResult } from '@/components/ui/action-result';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ResultBox } from '@/components/ui/result-box';

/** What became of a test email within a few seconds. */
export type TestMailResult = { email: string; isSent: boolean; isFinal: boolean; error: string | null };

const LABEL = 'Send a test email';

type Props = {
  email: string;
  /** Whether the person may choose the mail server. */
  maySetUp: boolean;
  /** Null: this service cannot send email. */
  send: (() => Promise<ActionResult<TestMailResult>>) | null;
};

/** Sends the person an email and shows what the mail server responded. */
export function TestMailButton({ email, maySetUp, send }: Props) {
  const [result, action, isPending] = useActionState<ActionResult<TestMailResult> | null>(
    async () => (await send?.()) ?? null,
    null,
  );
  return (
    <form action={action} className="flex max-w-xl flex-col items-start gap-2">
      {send === null ? (
        <Button disabled>{LABEL}</Button>
      ) : (
        <SubmitButton isPending={isPending}>{LABEL}</SubmitButton>
      )}
      <p className="text-sm text-muted">
        {send === null ? (
          <EmailOffNote maySetUp={maySetUp} />
        ) : (
          `To ${email}. Shows the response of the mail server.`
        )}
      </p>
      {result || isPending ? (
        <ResultBox label="Result of the test" rem={4.5}>
          {result && !isPending ? <Outcome {...result} /> : null}
        </ResultBox>
      ) : null}
    </form>
  );
}

function Outcome({ value, problem }: ActionResult<TestMailResult>) {
  if (value === null) return <Banner tone="bad">{problem}</Banner>;
  const { email, isSent, isFinal, error } = value;
  if (isSent) {
    return <Banner tone="note">Sent to {email}. If it does not arrive, check your spam folder.</Banner>;
  }
  if (error === null) {
    return (
      <Banner tone="slow">Queued, but no worker has sent it yet. Check that a worker is running.</Banner>
    );
  }
  return (
    <Banner tone="bad">
      <p>{isFinal ? 'Not sent.' : 'Not sent yet; it is retried for about 2 hours.'} The mail server:</p>
      <p className="font-mono text-xs wrap-anywhere">{error}</p>
    </Banner>
  );
}
