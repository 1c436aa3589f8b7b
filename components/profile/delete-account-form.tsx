import { ConfirmDeletionForm } from '@/components/ui/forms/confirm-deletion-form';
import type { FormState } from '@/components/ui/forms/form-state';
import { ACCOUNT_DELETION } from './consequences';

type Props = { email: string; remove: (state: FormState, form: FormData) => Promise<FormState> };

/** Deletes the account after its address has been typed. */
export function DeleteAccountForm({ email, remove }: Props) {
  return (
    <ConfirmDeletionForm
      confirmation={email}
      mismatch={{ path: 'confirmation', message: `The address must be “${email}”.` }}
      button="Delete my account"
      remove={remove}
    >
      <p className="max-w-2xl text-muted">{ACCOUNT_DELETION}</p>
    </ConfirmDeletionForm>
  );
}
