'use client';

import { ActionForm } from '@/components/ui/forms/action-form';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ShownOnce } from '@/components/ui/shown-once';
import type { MemberRole } from '@/lib/schemas/people';
import { roleOptions } from './role-texts';

/** A new invitation; its link is shown only once. */
type CreatedInvitation = { email: string; url: string; mailed: boolean };
export type InviteState = FormState & { created?: CreatedInvitation };

type Props = {
  invite: (state: InviteState, form: FormData) => Promise<InviteState>;
  roles: readonly MemberRole[];
};

/** Invites an address and shows the link. */
export function InviteForm({ invite, roles }: Props) {
  const submission = useSubmission<InviteState>(invite, freshState({ email: '', role: 'member' }));
  const [state] = submission;
  const { created } = state;
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <ActionForm submission={submission} button="Invite" isInline>
        <TextField
          key={created?.url}
          {...fieldOf(state, 'email')}
          label="Email"
          // Not type="email": there, browsers convert look-alike letters to another, valid domain.
          inputMode="email"
          autoComplete="off"
          required
          className="flex-1 basis-60"
        />
        <SelectField
          {...fieldOf(state, 'role')}
          label="Role"
          options={roleOptions(roles)}
          className="flex-1 basis-60"
        />
      </ActionForm>
      {created ? <InvitationLink key={created.url} {...created} /> : null}
    </div>
  );
}

function InvitationLink({ email, url, mailed }: CreatedInvitation) {
  return (
    <ShownOnce
      title={mailed ? `Invitation sent to ${email}` : `Send this link to ${email}`}
      level="h4"
      text={url}
      copyLabel="Copy the link"
      tone={mailed ? 'note' : 'slow'}
      note={`${
        mailed
          ? 'You can also share the link yourself.'
          : 'Email is not configured, so nothing was sent. Copy the link now. You won’t be able to see it again.'
      } It works once, within 7 days, for this address only.`}
    />
  );
}
