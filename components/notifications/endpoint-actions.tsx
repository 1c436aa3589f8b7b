'use client';

import { Pause, Pencil, Play, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useActionState } from 'react';
import { Button, buttonLook } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

/** Returns an error message, or null. */
type Action = () => Promise<string | null>;
type Props = { name: string; enabled: boolean; editHref: string; setEnabled: Action; remove: Action };

/** Edit, disable or enable, and delete. */
export function EndpointActions({ name, enabled, editHref, setEnabled, remove }: Props) {
  const [problem, toggle, isToggling] = useActionState(setEnabled, null);
  const [deleteProblem, deleteNow, isDeleting] = useActionState(remove, null);
  const Icon = enabled ? Pause : Play;
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <div className="flex flex-wrap gap-2">
        <Link prefetch={false} href={editHref} className={buttonLook()}>
          <Pencil aria-hidden="true" />
          Edit
        </Link>
        <form action={toggle}>
          <SubmitButton isPending={isToggling} tone={enabled ? 'quiet' : 'primary'}>
            {isToggling ? null : <Icon aria-hidden="true" />}
            {enabled ? 'Disable' : 'Enable'}
          </SubmitButton>
        </form>
        <ConfirmDialog
          trigger={
            <Button tone="danger">
              <Trash2 aria-hidden="true" />
              Delete
            </Button>
          }
          title={`Delete “${name}”?`}
          description="No more events are sent to it, and pending deliveries fail. Past deliveries stay in the log."
          confirm="Delete endpoint"
          action={deleteNow}
          isPending={isDeleting}
          problem={deleteProblem}
        />
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}
