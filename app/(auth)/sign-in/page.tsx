import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AuthCard } from '@/components/auth/auth-card';
import { SignInForm } from '@/components/auth/sign-in-form';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/http/dashboard-session';
import { getWeb } from '@/lib/http/server-services';
import { isSetUpOpen } from '@/lib/organizations/set-up';
import { signInAction } from './actions';
import { safePath } from './safe-path';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<{ callbackUrl?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { services } = getWeb();
  const { callbackUrl } = await searchParams;
  const next = safePath(typeof callbackUrl === 'string' ? callbackUrl : undefined);
  if ((await findVisitorSession()) !== null) redirect(next);
  if (await isSetUpOpen(services.db)) redirect('/setup');
  return (
    <AuthCard serviceName={getEnvironment().SERVICE_NAME} title="Sign in">
      <SignInForm signIn={signInAction} callbackUrl={next} />
    </AuthCard>
  );
}
