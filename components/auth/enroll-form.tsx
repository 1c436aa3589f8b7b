'use client';

import Image from 'next/image';
import { CodeBlock } from '@/components/ui/code-block';
import { ActionForm } from '@/components/ui/forms/action-form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { CodeField } from './factor-form';
import { RecoveryCodes } from './recovery-codes';

export type EnrollState = FormState & { recoveryCodes?: string[] };

type Props = {
  enroll: (state: EnrollState, form: FormData) => Promise<EnrollState>;
  callbackUrl: string;
  /** What the authenticator app needs; null once it is set up. */
  setUp: { secret: string; qrCode: string } | null;
};

/** Sets up an authenticator app. Replaced by the recovery codes once that is done. */
export function EnrollForm({ enroll, callbackUrl, setUp }: Props) {
  const submission = useSubmission<EnrollState>(enroll, freshState());
  const [{ recoveryCodes, ...state }] = submission;
  const next = (
    <ButtonLink tone="primary" size="large" href={callbackUrl}>
      Continue
    </ButtonLink>
  );
  if (recoveryCodes?.length) return <RecoveryCodes codes={recoveryCodes}>{next}</RecoveryCodes>;
  if (setUp === null) {
    return (
      <>
        <p>Your authenticator app is set up.</p>
        {next}
      </>
    );
  }
  return (
    <>
      <ol className="flex list-decimal flex-col gap-4 pl-5">
        <li>
          <p>Scan this with an authenticator app on your phone.</p>
          <Image
            unoptimized
            src={setUp.qrCode}
            alt="QR code for your authenticator app"
            width={200}
            height={200}
            className="mt-2 rounded-md border border-line bg-white"
          />
          <p className="mt-3 mb-1 text-muted">Or enter this key:</p>
          <CodeBlock text={setUp.secret} label="Copy the key" />
        </li>
        <li>Enter the code that it shows.</li>
      </ol>
      <ActionForm submission={[state, submission[1], submission[2]]} button="Turn on">
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <CodeField state={state} hint="Six digits." />
      </ActionForm>
    </>
  );
}
