import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AcceptInvitation, JoinForm } from '@/components/auth/accept-invitation';
import { AuthCard } from '@/components/auth/auth-card';
import { OrDivider, ProviderButtons } from '@/components/auth/provider-buttons';
import { ROLE_TEXTS } from '@/components/members/role-texts';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { readInvitation } from '@/lib/domain/members/accept-invitation';
import { findVisitorPerson } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { isPasswordSignInOn } from '@/lib/web/http/sign-in/password-sign-in';
import { showProviders } from '@/lib/web/http/sign-in/provider-sign-in';
import { readLink } from '../../read-link';
import { acceptAction, changePersonAction, joinAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Invitation', referrer: 'no-referrer' };

export default async function InvitationPage({ params }: PageProps<'token'>) {
  const token = readToken((await params).token);
  const { found, reason } = await readLink(readInvitation(getWeb().services, token));
  if (found === null) return <Closed reason={reason} />;
  const { organizationName, email, role, invitedBy, hasAccount } = found;
  const person = await findVisitorPerson();
  const lead = (
    <span className="break-words">
      {invitedBy ?? 'Someone'} invited <strong className="font-medium text-ink">{email}</strong> to join as{' '}
      {ROLE_TEXTS[role].article} {role}.
    </span>
  );
  return (
    <AuthCard title={`Join ${organizationName}`} lead={lead}>
      {person === null ? (
        hasAccount ? (
          <SignInFirst token={token} />
        ) : (
          <Join token={token} email={email} />
        )
      ) : person.email === email ? (
        <AcceptInvitation accept={acceptAction.bind(null, token)} organizationName={organizationName} />
      ) : (
        <WrongAccount token={token} signedInAs={person.email} email={email} />
      )}
    </AuthCard>
  );
}

/** A malformed path segment is treated as an unknown token. */
function readToken(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function Closed({ reason }: { reason: string }) {
  return (
    <AuthCard title="This invitation is no longer valid">
      <Banner tone="bad">{reason}</Banner>
      <p className="text-muted">
        An invitation works once, within 7 days. If you already accepted it, sign in. Otherwise, ask for a new
        one.
      </p>
      <ButtonLink size="large" href="/sign-in">
        Sign in
      </ButtonLink>
    </AuthCard>
  );
}

/** With an account at a provider, which has to have the invited address, or with a password. */
function Join({ token, email }: { token: string; email: string }) {
  const providers = showProviders();
  return (
    <>
      {providers.length > 0 ? (
        <ProviderButtons providers={providers} callbackUrl={`/invitation/${token}`} />
      ) : null}
      {isPasswordSignInOn() ? (
        <>
          {providers.length > 0 ? <OrDivider /> : null}
          <JoinForm join={joinAction.bind(null, token)} email={email} />
        </>
      ) : null}
    </>
  );
}

function SignInFirst({ token }: { token: string }) {
  const query = new URLSearchParams({ callbackUrl: `/invitation/${token}` });
  return (
    <>
      <p className="text-muted">You already have an account. Sign in to continue.</p>
      <ButtonLink tone="primary" size="large" href={`/sign-in?${query}`}>
        Sign in
      </ButtonLink>
    </>
  );
}

function WrongAccount({ token, signedInAs, email }: { token: string; signedInAs: string; email: string }) {
  return (
    <>
      <Banner tone="slow">
        You are signed in as {signedInAs}, but this invitation is for {email}.
      </Banner>
      <form action={changePersonAction.bind(null, token)} className="flex flex-col">
        <Button type="submit" size="large">
          Sign out and continue
        </Button>
      </form>
    </>
  );
}
