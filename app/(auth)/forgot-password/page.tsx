import type { Metadata } from 'next';
import { AuthCard, TextLink } from '@/components/auth/auth-card';
import { LinkRequestForm } from '@/components/auth/sign-in-forms';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { forgotPasswordAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  const canMail = mailedLinkBase(getWeb().services) !== null;
  return (
    <AuthCard serviceName={getEnvironment().SERVICE_NAME} title="Forgot your password?">
      {canMail ? (
        <LinkRequestForm
          request={forgotPasswordAction}
          button="Send a link"
          sent="If the address has an account, a link to set a new password is on its way. It works once, for an hour."
        />
      ) : (
        <p>
          This service sends no e-mail, so a person has to help: an admin of your organization can make a link
          with which you set a new password. So can the operator, with{' '}
          <code className="font-mono text-xs">pharos user reset-password</code>.
        </p>
      )}
      <p>
        <TextLink href="/sign-in">Back to sign in</TextLink>
      </p>
    </AuthCard>
  );
}
