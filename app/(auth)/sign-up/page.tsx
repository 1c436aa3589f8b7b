import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { AuthCard } from '@/components/auth/auth-card';
import { LinkRequestForm } from '@/components/auth/sign-in-forms';
import { Banner } from '@/components/ui/banner';
import { TextLink } from '@/components/ui/text-link';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { isPasswordSignInOn } from '@/lib/web/http/sign-in/password-sign-in';
import { signUpAction } from './actions';

export const metadata: Metadata = { title: 'Sign up' };

export default function SignUpPage() {
  if (getEnvironment().SIGN_UP !== 'open') notFound();
  if (!isPasswordSignInOn()) redirect('/sign-in');
  const canMail = mailedLinkBase(getWeb().services) !== null;
  return (
    <AuthCard
      title="Sign up"
      lead={canMail ? 'Enter your email address. We will send you a link to confirm it.' : undefined}
    >
      {canMail ? (
        <LinkRequestForm
          request={signUpAction}
          button="Send link"
          sent="We sent you a link to continue. It works once, within an hour."
        />
      ) : (
        <Banner tone="slow">
          Sign-up is not available yet because this service cannot send email. The operator has to set{' '}
          <code className="font-mono text-xs">SMTP_URL</code> and{' '}
          <code className="font-mono text-xs">APP_URL</code>.
        </Banner>
      )}
      <p className="text-muted">
        Already have an account? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
    </AuthCard>
  );
}
