import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AuthCard, TextLink } from '@/components/auth/auth-card';
import { LinkRequestForm } from '@/components/auth/sign-in-forms';
import { Banner } from '@/components/ui/banner';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { signUpAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Sign up' };

export default function SignUpPage() {
  const { SIGN_UP, SERVICE_NAME } = getEnvironment();
  if (SIGN_UP !== 'open') notFound();
  const canMail = mailedLinkBase(getWeb().services) !== null;
  return (
    <AuthCard
      serviceName={SERVICE_NAME}
      title="Sign up"
      lead={canMail ? 'Your address first; we send a link to confirm it.' : undefined}
    >
      {canMail ? (
        <LinkRequestForm
          request={signUpAction}
          button="Send a link"
          sent="We sent a link with which you go on. It works once, for an hour."
        />
      ) : (
        <Banner tone="slow">
          Nobody can sign up yet: this service sends no e-mail to confirm addresses with. Its operator has to
          set SMTP_URL and APP_URL.
        </Banner>
      )}
      <p className="text-muted">
        You have an account? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
    </AuthCard>
  );
}
