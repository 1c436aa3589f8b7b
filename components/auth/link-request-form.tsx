'use client';

import { type ReactNode, useActionState, useEffect, useRef } from 'react';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';

/** `sentTo`: the address once it was taken, whoever it belongs to. */
export type LinkRequestState = FormState & { sentTo: string | null };

type Props = {
  request: (state: LinkRequestState, form: FormData) => Promise<LinkRequestState>;
  button: string;
  /** What is said once the address was taken. */
  sent: ReactNode;
};

/** Asks for an address, and then says what to look for in its mail. */
export function LinkRequestForm({ request, button, sent }: Props) {
  const [state, action, isPending] = useActionState(request, { ...freshState(), sentTo: null });
  if (state.sentTo !== null) return <Sent address={state.sentTo}>{sent}</Sent>;
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={state.values.email}
        error={state.errors.email}
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        {button}
      </SubmitButton>
    </Form>
  );
}

function Sent({ address, children }: { address: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-2">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold wrap-anywhere outline-none">
        Look into the mail of {address}
      </h2>
      <p className="text-muted">{children}</p>
    </div>
  );
}
