'use client';

import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { ActionResult } from '@/components/ui/action-result';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { fieldOf, freshState, readTyped } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { TextLink } from '@/components/ui/text-link';
import type { EnrollState } from './enroll-form';
import { formatPasskeyProblem } from './passkey-problems';
import { RecoveryCodes } from './recovery-codes';

type Props = {
  /** Returns what the browser needs to create a passkey. */
  begin: () => Promise<ActionResult<PublicKeyCredentialCreationOptionsJSON>>;
  add: (state: EnrollState, form: FormData) => Promise<EnrollState>;
  callbackUrl: string;
  /** Where a person continues who adds none. */
  back: string;
  suggestedName: string;
};

/** Creates a passkey. Replaced by the recovery codes, if it is the first second factor. */
export function AddPasskeyForm({ begin, add, callbackUrl, back, suggestedName }: Props) {
  const submission = useSubmission<EnrollState>(
    async (previous, form) => {
      const { value, problem } = await begin();
      const fail = (text: string): EnrollState => ({
        ...freshState(readTyped(form)),
        attempt: previous.attempt + 1,
        message: { tone: 'bad', text },
      });
      if (value === null) return fail(problem);
      try {
        const { startRegistration } = await import('@simplewebauthn/browser');
        form.set('passkey', JSON.stringify(await startRegistration({ optionsJSON: value })));
      } catch (error) {
        return fail(formatPasskeyProblem(error));
      }
      return add(previous, form);
    },
    freshState({ name: suggestedName }),
  );
  const [{ recoveryCodes, ...state }, submit, isPending] = submission;
  if (recoveryCodes) {
    return (
      <RecoveryCodes codes={recoveryCodes}>
        <ButtonLink tone="primary" size="large" href={callbackUrl}>
          Continue
        </ButtonLink>
      </RecoveryCodes>
    );
  }
  return (
    <>
      <ActionForm submission={[state, submit, isPending]} button="Create passkey">
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <TextField
          {...fieldOf(state, 'name')}
          label="Name"
          required
          maxLength={60}
          hint="Helps you recognize it in your profile, such as the name of your device."
        />
      </ActionForm>
      <p>
        <TextLink isAlone href={back}>
          Go back
        </TextLink>
      </p>
    </>
  );
}
