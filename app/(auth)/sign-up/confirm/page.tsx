import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { SignUpForm } from '@/components/auth/sign-in-forms';
import { readSignUp } from '@/lib/domain/people/sign-up';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink, readTokenParam } from '../../read-link';
import { confirmSignUpAction } from './actions';

export const dynamic = 'force-dynamic';
/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Sign up', referrer: 'no-referrer' };

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function ConfirmSignUpPage(props: Props) {
  const { SIGN_UP, SERVICE_NAME } = getEnvironment();
  if (SIGN_UP !== 'open') notFound();
  const token = await readTokenParam(props);
  const { email, reason } = await readLink(readSignUp(getWeb().services, token));
  // Right after sign-up the page is rendered again to show the key; the person is signed in by then.
  const isDead = email === null && (await findVisitorSession()) === null;
  return (
    <AuthCard
      serviceName={SERVICE_NAME}
      title={
        isDead ? 'This link is no longer valid' : email === null ? 'You are signed in' : 'Create your account'
      }
      lead={email}
      isWide={!isDead && email === null}
    >
      {isDead ? (
        <DeadLink reason={reason ?? ''} href="/sign-up" label="Request a new link" />
      ) : (
        <SignUpForm confirm={confirmSignUpAction} token={token} email={email} />
      )}
    </AuthCard>
  );
}
