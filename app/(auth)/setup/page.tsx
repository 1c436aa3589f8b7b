import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { AuthCard } from '@/components/auth/auth-card';
import { SetUp } from '@/components/auth/set-up';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { isSetUpOpen, isSetUpToken } from '@/lib/domain/organizations/create-organization';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { setUpAction } from './actions';

export const dynamic = 'force-dynamic';
/** The address holds the token: no page that is left for may learn it. */
export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function SetUpPage({ searchParams }: Props) {
  const { services } = getWeb();
  const { SERVICE_NAME, DEFAULT_PLAN } = getEnvironment();
  const isOpen = await isSetUpOpen(services.db);
  // The page is drawn again right after set-up, to show the key: then someone is signed in.
  if (!isOpen && (await findVisitorSession()) === null) redirect('/sign-in');

  const { token } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  if (isOpen && !isSetUpToken(services.keyring, given)) {
    return <LockedSetUp serviceName={SERVICE_NAME} isTokenGiven={given !== ''} />;
  }
  return (
    <AuthCard
      serviceName={SERVICE_NAME}
      title={isOpen ? `Set up ${SERVICE_NAME}` : `${SERVICE_NAME} is set up`}
      lead={isOpen ? 'Your organization, and the person who owns it.' : 'You are signed in.'}
      isWide={!isOpen}
    >
      <SetUp
        setUp={setUpAction}
        token={given}
        defaultPlan={DEFAULT_PLAN}
        serviceName={SERVICE_NAME}
        isOpen={isOpen}
      />
    </AuthCard>
  );
}

function LockedSetUp({ serviceName, isTokenGiven }: { serviceName: string; isTokenGiven: boolean }) {
  return (
    <AuthCard serviceName={serviceName} title="Open the setup link">
      {isTokenGiven ? <Banner tone="bad">The token in this link is not valid.</Banner> : null}
      <p>
        {serviceName} is not set up yet. So that only you can set it up, this page opens only with the link
        that the service printed when it started. It ends in{' '}
        <code className="font-mono text-xs">/setup?token=…</code>
      </p>
      <p className="text-muted">
        Look in the terminal or the log of <code className="font-mono text-xs">npm start</code>, or run{' '}
        <code className="font-mono text-xs">npx pharos setup-link</code> on the server to see the link again.
      </p>
      <Link prefetch={false} href="/setup" className={buttonLook({ size: 'large' })}>
        Try again
      </Link>
    </AuthCard>
  );
}
