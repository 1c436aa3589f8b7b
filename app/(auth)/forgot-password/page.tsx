import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AuthCard } from '@/components/auth/auth-card';
import { LinkRequestForm } from '@/components/auth/sign-in-forms';
import { CodeBlock } from '@/components/ui/code-block';
import { TextLink } from '@/components/ui/text-link';
import { formatCommand } from '@/lib/command-line';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { isPasswordSignInOn } from '@/lib/web/http/sign-in/password-sign-in';
import { forgotPasswordAction } from './actions';

export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  if (!isPasswordSignInOn()) redirect('/sign-in');
  const canMail = mailedLinkBase(getWeb().services) !== null;
  return (
    <AuthCard title="Forgot your password?">
      {canMail ? (
        <LinkRequestForm
          request={forgotPasswordAction}
          button="Send link"
          sent="If this address has an account, we sent it a link to set a new password. It works once, within an hour."
        />
      ) : (
        <>
          <p>
            This service cannot send email. Ask an admin of your organization for a link to set a new
            password. The operator can also create one on the server, in the directory of{' '}
            {getEnvironment().SERVICE_NAME}:
          </p>
          <CodeBlock
            text={formatCommand('user reset-password EMAIL', { isPublic: true })}
            label="Copy the command"
          />
        </>
      )}
      <p>
        <TextLink isAlone href="/sign-in">
          Back to sign in
        </TextLink>
      </p>
    </AuthCard>
  );
}
