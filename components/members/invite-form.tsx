'use client';

import { useActionState, useEffect, useRef } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField, TextField } from '@/components/ui/field';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import type { MemberRole } from '@/lib/schemas/people';
import { roleOptions } from './role-texts';

/** An invitation right after it was made: the only time that its link is shown. */
export type MadeInvitation = { email: string; url: string; mailed: boolean };
export type InviteState = FormState & { made: MadeInvitation | null };

type Props = {
  invite: (state: InviteState, form: FormData) => Promise<InviteState>;
  roles: readonly MemberRole[];
};

/** Invites an address, and shows the link. */
export function InviteForm({ invite, roles }: Props) {
  const [state, action, isPending] = useActionState(invite, {
    ...freshState({ email: '', role: 'member' }),
    made: null,
  });
  const { values, errors, made } = state;
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <Form action={action} state={state} className="flex flex-col gap-3">
        <div className="flex flex-wrap items-start gap-3">
          <TextField
            key={made?.url}
            name="email"
            label="E-mail"
            // Not type="email": browsers turn look-alike letters into another, valid domain there.
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
      {made ? <MadeLink key={made.url} {...made} /> : null}
    </div>
  );
}

function MadeLink({ email, url, mailed }: MadeInvitation) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="made-invitation" className="flex flex-col gap-2">
      <h4 id="made-invitation" ref={heading} tabIndex={-1} className="font-medium break-all outline-none">
        {mailed ? `The invitation of ${email} is on its way` : `Send this link to ${email}`}
      </h4>
      <Banner tone={mailed ? 'note' : 'slow'}>
        {mailed
          ? 'You can hand over the link yourself as well.'
          : 'No e-mail is set up here, so nothing was sent. Copy the link now: it is not shown again.'}{' '}
        It works once, for a week, for this address alone.
      </Banner>
      <CodeBlock text={url} label="Copy the link" />
    </section>
  );
}
