'use client';

import { useActionState, useEffect, useRef } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField } from '@/components/ui/field';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import type { Member } from '@/lib/schemas/people';

/** A link to a new password right after it was made: the only time that it is shown. */
export type MadeReset = { email: string; url: string };
export type ResetState = FormState & { made: MadeReset | null };

type Props = {
  reset: (state: ResetState, form: FormData) => Promise<ResetState>;
  /** Those whose password the reader may open. */
  members: Pick<Member, 'id' | 'email'>[];
};

/** Makes a link with which a member sets a new password, to hand over. */
export function ResetForm({ reset, members }: Props) {
  const [state, action, isPending] = useActionState(reset, {
    ...freshState({ member: members[0]?.id ?? '' }),
    made: null,
  });
  const { values, errors, made } = state;
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <Form action={action} state={state} className="flex flex-wrap items-start gap-3">
        <SelectField
          name="member"
          label="Member"
          options={members.map(({ id, email }) => ({ value: id, label: email }))}
          defaultValue={values.member}
          error={errors.member}
          className="flex-1 basis-60"
        />
        <SubmitButton size="large" isPending={isPending} className="max-sm:w-full sm:mt-6">
          Make a link
        </SubmitButton>
      </Form>
      {made ? <MadeLink key={made.url} {...made} /> : null}
    </div>
  );
}

function MadeLink({ email, url }: MadeReset) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="made-reset" className="flex flex-col gap-2">
      <h4 id="made-reset" ref={heading} tabIndex={-1} className="font-medium break-all outline-none">
        Send this link to {email}
      </h4>
      <Banner tone="slow">
        It is not shown again and works once. Whoever has it has the account, so send it where only they read.
      </Banner>
      <CodeBlock text={url} label="Copy the link" />
    </section>
  );
}
