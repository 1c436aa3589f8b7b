import type { Metadata } from 'next';
import { encodeQR } from 'qr';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { EnrollForm } from '@/components/auth/enroll-form';
import { beginEnrollment } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { totpUri } from '@/lib/domain/people/second-factor/totp';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { findEnrolling } from '@/lib/web/http/sign-in/visitor-sign-in';
import { readCallbackUrl } from '../safe-path';
import { enrollAction } from './actions';

export const metadata: Metadata = { title: 'Set up a second factor' };

/** Sets up an authenticator app: for a person who is signed in, or before that because their organization requires it. */
export default async function SetUpSecondFactorPage({ searchParams }: PageProps) {
  const callbackUrl = readCallbackUrl(await searchParams);
  const person = await findEnrolling();
  if (person === null) {
    return (
      <AuthCard title="This sign-in has ended">
        <DeadLink reason="Sign-in takes at most 10 minutes." href="/sign-in" label="Sign in again" />
      </AuthCard>
    );
  }
  const lead = person.isRequired
    ? 'Your organization requires one. It is asked for when you sign in, after your password.'
    : 'It is asked for when you sign in, after your password.';
  return (
    <AuthCard title="Set up a second factor" lead={lead}>
      <EnrollForm
        enroll={enrollAction}
        callbackUrl={callbackUrl}
        // Right after it is set up, the page is rendered again to show the recovery codes.
        setUp={person.hasFactor ? null : await prepare(person)}
      />
    </AuthCard>
  );
}

async function prepare({ userId, email }: { userId: string; email: string }) {
  const secret = await beginEnrollment(getWeb().services, userId);
  const svg = encodeQR(totpUri(secret, { issuer: getEnvironment().SERVICE_NAME, email }), 'svg', {
    border: 3,
  });
  return { secret, qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}
