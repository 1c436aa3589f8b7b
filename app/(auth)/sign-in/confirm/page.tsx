import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { FactorForm } from '@/components/auth/factor-form';
import { TextLink } from '@/components/ui/text-link';
import { readFactors } from '@/lib/domain/people/second-factor/has-second-factor';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readPasskeyProblem } from '@/lib/web/http/sign-in/password-sign-in';
import { beginPasskeyUseAction } from '../passkey-actions';
import { readCallbackUrl } from '../safe-path';
import { confirmAction } from './actions';

export const metadata: Metadata = { title: 'Confirm' };

/** Asks for the second factor before a change that requires a recent one, then returns to its page. */
export default async function ConfirmPage({ searchParams }: PageProps) {
  const { ctx, userId, email } = await requireSession();
  const callbackUrl = readCallbackUrl(await searchParams);
  if (ctx.actor.kind !== 'user' || !ctx.actor.isFactorStale) redirect(callbackUrl);
  const { hasApp, hasPasskey } = await readFactors(ctx.db, userId, ctx.clock.now());
  return (
    <AuthCard title="Confirm it’s you" lead={email}>
      <p>
        To change ownership, API keys, or your second factor, confirm it first. You then have 10 minutes to
        repeat your change.
      </p>
      <FactorForm
        verify={confirmAction}
        beginPasskey={hasPasskey && readPasskeyProblem() === null ? beginPasskeyUseAction : null}
        hasApp={hasApp}
        callbackUrl={callbackUrl}
        button="Confirm"
      />
      <p>
        <TextLink isAlone href={callbackUrl}>
          Go back
        </TextLink>
      </p>
    </AuthCard>
  );
}
