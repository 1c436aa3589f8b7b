import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { SetUp } from '@/components/auth/set-up';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { formatCommand } from '@/lib/command-line';
import { isSetUpOpen, isSetUpToken } from '@/lib/domain/organizations/create-organization';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { readTokenParam } from '../read-link';
import { setUpAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

export default async function SetUpPage(props: PageProps) {
  const { services } = getWeb();
  const { SERVICE_NAME } = getEnvironment();
  const isOpen = await isSetUpOpen(services.db);
  // Right after setup the page is rendered again to show the key; the owner is signed in by then.
  if (!isOpen && (await findVisitorSession()) === null) redirect('/sign-in');

  const token = await readTokenParam(props);
  if (isOpen && !isSetUpToken(services.keyring, token)) {
    return <LockedSetUp serviceName={SERVICE_NAME} isTokenGiven={token !== ''} />;
  }
  return (
    <AuthCard
      title={isOpen ? `Set up ${SERVICE_NAME}` : `${SERVICE_NAME} is set up`}
      lead={isOpen ? 'Create your organization and its owner.' : 'You are signed in.'}
      isWide={!isOpen}
    >
      <SetUp setUp={setUpAction} token={token} isOpen={isOpen} />
    </AuthCard>
  );
}

function LockedSetUp({ serviceName, isTokenGiven }: { serviceName: string; isTokenGiven: boolean }) {
  return (
    <AuthCard title="Open the setup link">
      {isTokenGiven ? <Banner tone="bad">This setup link is not valid.</Banner> : null}
      <p>
        {serviceName} is not set up yet. To make sure that only you can set it up, this page requires the link
        that was printed when the service started. It ends in{' '}
        <code className="font-mono text-xs">/setup?token=…</code>
      </p>
      <p className="text-muted">
        Look for it in the log of the service, or print it again on the server, in the directory of{' '}
        {serviceName}:
      </p>
      <CodeBlock text={formatCommand('setup-link', { isPublic: true })} label="Copy the command" />
      <ButtonLink size="large" href="/setup">
        Try again
      </ButtonLink>
    </AuthCard>
  );
}
