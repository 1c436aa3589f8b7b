'use client';

import { Square, Trash2 } from 'lucide-react';
import { useActionState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

/** Returns an error message, or null. */
type Action = () => Promise<string | null>;
type Props = { title: string; isActive: boolean; end: Action; remove: Action };

/** Ends an active window, and deletes any window. */
export function MaintenanceActions({ title, isActive, end, remove }: Props) {
  const [problem, endNow, isEnding] = useActionState(end, null);
  return (
    <div className="flex flex-col items-end gap-2">
      <div className="flex gap-2">
        {isActive ? (
          <form action={endNow}>
            <SubmitButton isPending={isEnding}>
              {isEnding ? null : <Square aria-hidden="true" />}
              End now
            </SubmitButton>
          </form>
        ) : null}
        <DeleteButton title={title} isActive={isActive} remove={remove} />
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}

function DeleteButton({ title, isActive, remove }: Omit<Props, 'end'>) {
  const [problem, action, isDeleting] = useActionState(remove, null);
  return (
    <ConfirmDialog
      trigger={
        <Button tone="danger">
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      }
      title={`Delete “${title}”?`}
      description={`${isActive ? 'The window ends now, and alerts resume. ' : ''}Its past occurrences are deleted too, including from status pages.`}
      confirm="Delete window"
      action={action}
      isPending={isDeleting}
      problem={problem}
    />
  );
}
