import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { PasskeySignIn } from '@/components/auth/passkey-sign-in';
import { OrDivider, ProviderButtons } from '@/components/auth/provider-buttons';
import { formatProviderProblem } from '@/components/auth/provider-problems';
import { SignInForm } from '@/components/auth/sign-in-forms';
import { Banner } from '@/components/ui/banner';
import { TextLink } from '@/components/ui/text-link';
import { isSetUpOpen } from '@/lib/domain/organizations/create-organization';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { isPasswordSignInOn, readOpenWays } from '@/lib/web/http/sign-in/password-sign-in';
import { showProviders } from '@/lib/web/http/sign-in/provider-sign-in';
import { signInAction } from './actions';
import { beginPasskeyUseAction, signInByPasskeyAction } from './passkey-actions';
import { readCallbackUrl } from './safe-path';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: PageProps) {
  const query = await searchParams;
  const { notice, error } = query;
  const next = readCallbackUrl(query);
  if ((await findVisitorSession()) !== null) redirect(next);
  if (await isSetUpOpen(getWeb().services.db)) redirect('/setup');
  const providers = showProviders();
  return (
    <AuthCard title="Sign in">
      {notice === 'new-password' ? (
        <Banner tone="note">Your password has been reset. Sign in with your new password.</Banner>
      ) : null}
      {notice === 'account-deleted' ? <Banner tone="note">Your account has been deleted.</Banner> : null}
      {typeof error === 'string' ? (
        <Banner tone="bad">{formatProviderProblem(error, providers)}</Banner>
      ) : null}
      {providers.length > 0 ? (
        <>
          <ProviderButtons providers={providers} callbackUrl={next} />
          {isPasswordSignInOn() ? <OrDivider /> : null}
        </>
      ) : null}
      {isPasswordSignInOn() ? <PasswordSignIn callbackUrl={next} /> : null}
      {readOpenWays().passkeys ? (
        <>
          <OrDivider />
          <PasskeySignIn begin={beginPasskeyUseAction} signIn={signInByPasskeyAction} callbackUrl={next} />
        </>
      ) : null}
    </AuthCard>
  );
}

function PasswordSignIn({ callbackUrl }: { callbackUrl: string }) {
  return (
    <>
      <SignInForm signIn={signInAction} callbackUrl={callbackUrl} />
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <TextLink isAlone href="/forgot-password">
          Forgot your password?
        </TextLink>
        {getEnvironment().SIGN_UP === 'open' ? (
          <TextLink isAlone href="/sign-up">
            Sign up
          </TextLink>
        ) : null}
      </p>
    </>
  );
}
