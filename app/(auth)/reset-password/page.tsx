import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { NewPasswordForm } from '@/components/auth/sign-in-forms';
import { readPasswordReset } from '@/lib/domain/people/passwords';
import { getWeb } from '@/lib/web/http/server-services';
import { isPasswordSignInOn, readPasskeyProblem } from '@/lib/web/http/sign-in/password-sign-in';
import { readLink, readTokenParam } from '../read-link';
import { beginPasskeyUseAction } from '../sign-in/passkey-actions';
import { resetPasswordAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'New password', referrer: 'no-referrer' };

export default async function ResetPasswordPage(props: PageProps) {
  if (!isPasswordSignInOn()) redirect('/sign-in');
  const token = await readTokenParam(props);
  const { found, reason } = await readLink(readPasswordReset(getWeb().services, token));
  return (
    <AuthCard title="Set a new password" lead={found?.email}>
      {found === null ? (
        <DeadLink reason={reason} href="/forgot-password" label="Request a new link" />
      ) : (
        <NewPasswordForm
          email={found.email}
          factors={found.hasFactor ? found : null}
          beginPasskey={found.hasPasskey && readPasskeyProblem() === null ? beginPasskeyUseAction : null}
          token={token}
          setPassword={resetPasswordAction}
        />
      )}
    </AuthCard>
  );
}
