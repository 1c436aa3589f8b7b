'use client';

import { Square, Trash2 } from 'lucide-react';
import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Action = () => Promise<ActionProblem>;
type Props = { title: string; isActive: boolean; end: Action; remove: Action };

/** Ends an active window, and deletes any window. */
export function MaintenanceActions({ title, isActive, end, remove }: Props) {
  const [problem, endNow, isEnding] = useActionState(end, null);
  return (
    <div className="flex flex-col items-end gap-2">
      <div className="flex gap-2">
        {isActive ? (
          <form action={endNow}>
            <SubmitButton isPending={isEnding} icon={<Square />}>
              End now
            </SubmitButton>
          </form>
        ) : null}
        <ConfirmButton
          icon={<Trash2 />}
          title={`Delete “${title}”?`}
          description={`${isActive ? 'The window ends now, and alerts resume. ' : ''}Its past occurrences are deleted too, including from status pages.`}
          confirm="Delete window"
          action={remove}
        >
          Delete
        </ConfirmButton>
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}
