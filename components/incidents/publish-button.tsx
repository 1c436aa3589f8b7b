'use client';

import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Props = {
  isPublished: boolean;
  pageName: string;
  /** Publishes the incident on the page, or withdraws it. */
  toggle: () => Promise<ActionProblem>;
};

/** Shows an automatic incident on a page that does not show it on its own, or hides it again. */
export function PublishButton({ isPublished, pageName, toggle }: Props) {
  const [problem, run, isPending] = useActionState(toggle, null);
  return (
    <form action={run} className="flex flex-col gap-2">
      <SubmitButton isPending={isPending}>
        {isPublished ? 'Hide' : 'Publish'}
        <span className="sr-only"> on {pageName}</span>
      </SubmitButton>
      <ProblemAlert problem={problem} />
    </form>
  );
}
