'use client';

import { ActionForm } from '@/components/ui/forms/action-form';
import { SelectField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ShownOnce } from '@/components/ui/shown-once';
import type { Member } from '@/lib/schemas/people';

/** A new password reset link; it is shown only once. */
type CreatedReset = { email: string; url: string };
export type ResetState = FormState & { created?: CreatedReset };

type Props = {
  reset: (state: ResetState, form: FormData) => Promise<ResetState>;
  /** The members whose password the reader may reset. */
  members: Pick<Member, 'id' | 'email'>[];
};

/** Creates a link for a member to set a new password. */
export function ResetForm({ reset, members }: Props) {
  const submission = useSubmission<ResetState>(reset, freshState({ member: members[0]?.id ?? '' }));
  const [state] = submission;
  const { created } = state;
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <ActionForm submission={submission} button="Create link" isInline tone="quiet">
        <SelectField
          {...fieldOf(state, 'member')}
          label="Member"
          options={members.map(({ id, email }) => ({ value: id, label: email }))}
          className="flex-1 basis-60"
        />
      </ActionForm>
      {created ? (
        <ShownOnce
          key={created.url}
          title={`Send this link to ${created.email}`}
          level="h4"
          text={created.url}
          copyLabel="Copy the link"
          note="Copy it now. You won’t be able to see it again. It works once, and anyone who has it can take over the account, so send it privately."
        />
      ) : null}
    </div>
  );
}
