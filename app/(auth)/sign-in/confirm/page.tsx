import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { FactorForm } from '@/components/auth/factor-form';
import { TextLink } from '@/components/ui/text-link';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readCallbackUrl } from '../safe-path';
import { confirmAction } from './actions';

export const metadata: Metadata = { title: 'Confirm' };

/** Asks for the second factor before a change that requires a recent one, then returns to its page. */
export default async function ConfirmPage({ searchParams }: PageProps) {
  const { ctx, email } = await requireSession();
  const callbackUrl = readCallbackUrl(await searchParams);
  if (ctx.actor.kind !== 'user' || !ctx.actor.isFactorStale) redirect(callbackUrl);
  return (
    <AuthCard title="Confirm that it is you" lead={email}>
      <p>
        Ownership, API keys and your second factor can be changed for 10 minutes after you entered a code.
        Then repeat your change.
      </p>
      <FactorForm verify={confirmAction} callbackUrl={callbackUrl} button="Confirm" />
      <p>
        <TextLink href={callbackUrl}>Go back</TextLink>
      </p>
    </AuthCard>
  );
}
