'use client';

import { useActionState, useEffect, useRef } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
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
  const [state, action, isPending] = useActionState<InviteState, FormData>(
    invite,
    freshState({ email: '', role: 'member' }),
  );
  const { values, errors, created } = state;
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <Form action={action} state={state} className="flex flex-col gap-3">
        <div className="flex flex-wrap items-start gap-3">
          <TextField
            key={created?.url}
            name="email"
            label="Email"
            // Not type="email": there, browsers convert look-alike letters to another, valid domain.
            inputMode="email"
            autoComplete="off"
            required
            defaultValue={values.email}
            error={errors.email}
            className="flex-1 basis-60"
          />
          <SelectField
            name="role"
            label="Role"
            options={roleOptions(roles)}
            defaultValue={values.role}
            error={errors.role}
            className="flex-1 basis-60"
          />
          <SubmitButton tone="primary" size="large" isPending={isPending} className="max-sm:w-full sm:mt-6">
            Invite
          </SubmitButton>
        </div>
      </Form>
      {created ? <InvitationLink key={created.url} {...created} /> : null}
    </div>
  );
}

function InvitationLink({ email, url, mailed }: CreatedInvitation) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="created-invitation" className="flex flex-col gap-2">
      <h4 id="created-invitation" ref={heading} tabIndex={-1} className="font-medium break-all outline-none">
        {mailed ? `Invitation sent to ${email}` : `Send this link to ${email}`}
      </h4>
      <Banner tone={mailed ? 'note' : 'slow'}>
        {mailed
          ? 'You can also share the link yourself.'
          : 'Email is not configured, so nothing was sent. Copy the link now. You won’t be able to see it again.'}{' '}
        It works once, within 7 days, for this address only.
      </Banner>
      <CodeBlock text={url} label="Copy the link" />
    </section>
  );
}
