'use client';

import { CircleCheck, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useActionState } from 'react';
import { Button, buttonLook } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

/** Returns an error message, or null. */
type Action = () => Promise<string | null>;

type Props = {
  id: string;
  title: string;
  isOpen: boolean;
  automatic: boolean;
  /** Resolves an open incident, or reopens a resolved one. */
  toggle: Action;
  remove: Action;
};

/** Resolve or reopen, edit, delete. */
export function IncidentActions({ id, title, isOpen, automatic, toggle, remove }: Props) {
  const [problem, action, isPending] = useActionState(toggle, null);
  const Icon = isOpen ? CircleCheck : RotateCcw;
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <div className="flex flex-wrap gap-2">
        <form action={action}>
          <SubmitButton isPending={isPending}>
            {isPending ? null : <Icon aria-hidden="true" />}
            {isOpen ? 'Resolve' : 'Reopen'}
          </SubmitButton>
        </form>
        <Link prefetch={false} href={`/incidents/${id}/edit`} className={buttonLook()}>
          <Pencil aria-hidden="true" />
          Edit
        </Link>
        <DeleteButton title={title} isMonitored={isOpen && automatic} remove={remove} />
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}

function DeleteButton({
  title,
  isMonitored,
  remove,
}: {
  title: string;
  isMonitored: boolean;
  remove: Action;
}) {
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
      description={`This permanently deletes the incident with its updates and postmortem, and removes it from status pages. No notifications are sent.${
        isMonitored ? ' Its monitor will not open another incident until its status changes.' : ''
      }`}
      confirm="Delete incident"
      action={action}
      isPending={isDeleting}
      problem={problem}
    />
  );
}
