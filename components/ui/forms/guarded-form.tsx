import { type ComponentProps, useState } from 'react';
import { Form } from './form';
import type { FormState } from './form-state';
import { LeaveDialog } from './leave-dialog';

/** A form whose text takes time to write: leaving the page before it is saved needs confirmation. */
export function GuardedForm({ state, onInput, ...rest }: ComponentProps<typeof Form>) {
  const [isTyped, setTyped] = useState(false);
  /** The state at the last attempt, since which nothing was typed. */
  const [submitted, setSubmitted] = useState<FormState | null>(null);
  const hasFailed = state !== submitted && isRefused(state);
  return (
    <>
      {isTyped && (submitted === null || hasFailed) ? <LeaveDialog /> : null}
      <Form
        {...rest}
        state={state}
        // The action itself stays, so that the form works without scripts.
        onSubmitCapture={() => setSubmitted(state)}
        onInput={(event) => {
          onInput?.(event);
          setTyped(true);
          setSubmitted(null);
        }}
      />
    </>
  );
}

function isRefused({ message, errors }: FormState): boolean {
  return message !== null || Object.keys(errors).length > 0;
}
