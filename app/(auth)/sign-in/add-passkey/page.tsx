import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AddPasskeyForm } from '@/components/auth/add-passkey-form';
import { AuthCard } from '@/components/auth/auth-card';
import { Banner } from '@/components/ui/banner';
import { TextLink } from '@/components/ui/text-link';
import { formatBrowser } from '@/lib/web/auth/format-browser';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { readPasskeyProblem } from '@/lib/web/http/sign-in/password-sign-in';
import { requireEnrolling } from '../require-enrolling';
import { readCallbackUrl } from '../safe-path';
import { SignInEnded } from '../sign-in-ended';
import { addPasskeyAction, beginPasskeyAction } from './actions';

export const metadata: Metadata = { title: 'Add a passkey' };

/** Adds a passkey: for a person who is signed in, or before that because their organization requires a second factor. */
export default async function AddPasskeyPage({ searchParams }: PageProps) {
  const callbackUrl = readCallbackUrl(await searchParams);
  const person = await requireEnrolling('/sign-in/add-passkey');
  if (person === null) return <SignInEnded />;
  const isFirst = person.isRequired && !person.hasFactor;
  const back = isFirst
    ? `/sign-in/set-up-second-factor?${new URLSearchParams({ callbackUrl })}`
    : callbackUrl;
  const problem = readPasskeyProblem();
  const { userAgent } = await readVisitor();
  return (
    <AuthCard
      title="Add a passkey"
      lead="Your device, browser, or security key stores it and unlocks it with your fingerprint, face, or PIN."
    >
      {problem === null ? (
        <AddPasskeyForm
          begin={beginPasskeyAction}
          add={addPasskeyAction}
          callbackUrl={callbackUrl}
          back={back}
          suggestedName={formatBrowser(userAgent)}
        />
      ) : (
        <>
          <Banner tone="note">{problem}</Banner>
          <p>
            <TextLink isAlone href={back}>
              Go back
            </TextLink>
          </p>
        </>
      )}
    </AuthCard>
  );
}
