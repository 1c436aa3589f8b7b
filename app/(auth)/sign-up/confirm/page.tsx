import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { SignUpForm } from '@/components/auth/sign-in-forms';
import { readSignUp } from '@/lib/domain/people/sign-up';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { isPasswordSignInOn } from '@/lib/web/http/sign-in/password-sign-in';
import { readLink, readTokenParam } from '../../read-link';
import { confirmSignUpAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Sign up', referrer: 'no-referrer' };

export default async function ConfirmSignUpPage(props: PageProps) {
  if (getEnvironment().SIGN_UP !== 'open') notFound();
  if (!isPasswordSignInOn()) redirect('/sign-in');
  const token = await readTokenParam(props);
  const { found, reason } = await readLink(readSignUp(getWeb().services, token));
  // Right after sign-up the page is rendered again to show the key; the person is signed in by then.
  if (found === null && (await findVisitorSession()) === null) {
    return (
      <AuthCard title="This link is no longer valid">
        <DeadLink reason={reason} href="/sign-up" label="Request a new link" />
      </AuthCard>
    );
  }
  const email = found?.email ?? null;
  return (
    <AuthCard
      title={email === null ? 'You are signed in' : 'Create your account'}
      lead={email}
      isWide={email === null}
    >
      <SignUpForm confirm={confirmSignUpAction} token={token} email={email} />
    </AuthCard>
  );
}
