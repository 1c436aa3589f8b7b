'use client';

import { type ComponentProps, type ReactNode, useActionState } from 'react';
import type { ActionProblem } from './action-result';
import { SubmitButton } from './forms/submit-button';
import { ProblemAlert } from './problem-alert';

type Props = Pick<ComponentProps<typeof SubmitButton>, 'icon' | 'tone' | 'autoFocus'> & {
  label: string;
  /** Null if there is nothing to do: then there are only the other buttons. */
  action: (() => Promise<ActionProblem>) | null;
  /** Whether the action is still under way from before. */
  isBusy?: boolean;
  /** More buttons. */
  children?: ReactNode;
};

const doNothing = async () => null;

/** The buttons of a page about one thing. The first runs `action`; if it fails, the error appears below. */
export function ActionRow({ label, action, isBusy = false, children, ...look }: Props) {
  const [problem, run, isPending] = useActionState(action ?? doNothing, null);
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <div className="flex flex-wrap gap-2">
        {action ? (
          <form action={run}>
            <SubmitButton isPending={isPending || isBusy} {...look}>
              {label}
            </SubmitButton>
          </form>
        ) : null}
        {children}
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}
