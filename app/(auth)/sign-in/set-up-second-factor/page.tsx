import type { Metadata } from 'next';
import { encodeQR } from 'qr';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { EnrollForm } from '@/components/auth/enroll-form';
import { TextLink } from '@/components/ui/text-link';
import { beginEnrollment, readSecondFactor } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { totpUri } from '@/lib/domain/people/second-factor/totp';
import { getEnvironment } from '@/lib/env';
import { getWeb } from '@/lib/web/http/server-services';
import { readPasskeyProblem } from '@/lib/web/http/sign-in/password-sign-in';
import { requireEnrolling } from '../require-enrolling';
import { readCallbackUrl } from '../safe-path';
import { SignInEnded } from '../sign-in-ended';
import { enrollAction } from './actions';

export const metadata: Metadata = { title: 'Set up a second factor' };

/** Sets up an authenticator app: for a person who is signed in, or before that because their organization requires it. */
export default async function SetUpSecondFactorPage({ searchParams }: PageProps) {
  const callbackUrl = readCallbackUrl(await searchParams);
  const person = await requireEnrolling('/sign-in/set-up-second-factor');
  if (person === null) return <SignInEnded />;
  const { since } = await readSecondFactor(getWeb().services, person.userId);
  const lead = person.isRequired
    ? 'Your organization requires one. You enter it after your password when you sign in.'
    : 'You enter it after your password when you sign in.';
  return (
    <AuthCard title="Set up a second factor" lead={lead}>
      <EnrollForm
        enroll={enrollAction}
        callbackUrl={callbackUrl}
        // Right after it is set up, the page is rendered again to show the recovery codes.
        setUp={since === null ? await prepare(person) : null}
      />
      {since === null && readPasskeyProblem() === null ? (
        <p>
          <TextLink isAlone href={`/sign-in/add-passkey?${new URLSearchParams({ callbackUrl })}`}>
            Use a passkey instead
          </TextLink>
        </p>
      ) : null}
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
