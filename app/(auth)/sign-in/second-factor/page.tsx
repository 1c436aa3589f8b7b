import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { FactorForm } from '@/components/auth/factor-form';
import { TextLink } from '@/components/ui/text-link';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { readPasskeyProblem } from '@/lib/web/http/sign-in/password-sign-in';
import { findPendingSignIn } from '@/lib/web/http/sign-in/visitor-sign-in';
import { beginPasskeyUseAction } from '../passkey-actions';
import { readCallbackUrl } from '../safe-path';
import { SignInEnded } from '../sign-in-ended';
import { secondFactorAction } from './actions';

export const metadata: Metadata = { title: 'Second factor' };

/** The second step of signing in. */
export default async function SecondFactorPage({ searchParams }: PageProps) {
  const callbackUrl = readCallbackUrl(await searchParams);
  if ((await findVisitorSession()) !== null) redirect(callbackUrl);
  const pending = await findPendingSignIn();
  if (pending === null) return <SignInEnded />;
  return (
    <AuthCard title="Second factor" lead={pending.email}>
      <FactorForm
        verify={secondFactorAction}
        beginPasskey={pending.hasPasskey && readPasskeyProblem() === null ? beginPasskeyUseAction : null}
        hasApp={pending.hasApp}
        callbackUrl={callbackUrl}
        button="Sign in"
      />
      <p>
        <TextLink isAlone href="/sign-in">
          Sign in as someone else
        </TextLink>
      </p>
    </AuthCard>
  );
}
