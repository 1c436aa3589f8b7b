import type { ReactNode } from 'react';
import { Form } from './form';
import type { MendableState } from './form-state';
import { SubmitButton } from './submit-button';

type ActionFormProps = {
  /** The result of `useSubmission`. */
  submission: [state: MendableState, action: (form: FormData) => void, isPending: boolean];
  button: string;
  tone?: 'primary' | 'quiet';
  /** Whether the button follows the fields in their row, instead of below them. */
  isInline?: boolean;
  children: ReactNode;
};

/** A short form with one button. */
export function ActionForm({
  submission: [state, action, isPending],
  button,
  tone = 'primary',
  isInline = false,
  children,
}: ActionFormProps) {
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <div
        className={isInline ? 'flex flex-wrap items-start gap-3 max-sm:*:basis-full' : 'flex flex-col gap-4'}
      >
        {children}
        <SubmitButton tone={tone} size="large" isPending={isPending} className={isInline ? 'sm:mt-6' : ''}>
          {button}
        </SubmitButton>
      </div>
    </Form>
  );
}
