import type { Metadata } from 'next';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { NewPasswordForm } from '@/components/auth/sign-in-forms';
import { readPasswordReset } from '@/lib/domain/people/reset-password';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink, readTokenParam } from '../read-link';
import { resetPasswordAction } from './actions';

export const dynamic = 'force-dynamic';
/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'New password', referrer: 'no-referrer' };

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function ResetPasswordPage(props: Props) {
  const token = await readTokenParam(props);
  const { email, reason } = await readLink(readPasswordReset(getWeb().services, token));
  return (
    <AuthCard serviceName={getEnvironment().SERVICE_NAME} title="Set a new password" lead={email}>
      {email === null ? (
        <DeadLink reason={reason} href="/forgot-password" label="Request a new link" />
      ) : (
        <NewPasswordForm email={email} token={token} setPassword={resetPasswordAction} />
      )}
    </AuthCard>
  );
}
