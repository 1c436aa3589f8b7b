'use client';

import { CircleCheck, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button, buttonLook } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/form';

/** Answers what went wrong, or null. */
type Action = () => Promise<string | null>;

type Props = {
  id: string;
  title: string;
  isOpen: boolean;
  automatic: boolean;
  /** Resolves what is open, and reopens what is resolved. */
  turn: Action;
  remove: Action;
};

/** Resolve or reopen, edit, delete. */
export function IncidentActions({ id, title, isOpen, automatic, turn, remove }: Props) {
  const [problem, turnNow, isTurning] = useActionState(turn, null);
  const Icon = isOpen ? CircleCheck : RotateCcw;
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <div className="flex flex-wrap gap-2">
        <form action={turnNow}>
          <SubmitButton isPending={isTurning}>
            {isTurning ? null : <Icon aria-hidden="true" />}
            {isOpen ? 'Resolve' : 'Reopen'}
          </SubmitButton>
        </form>
        <Link prefetch={false} href={`/incidents/${id}/edit`} className={buttonLook()}>
          <Pencil aria-hidden="true" />
          Edit
        </Link>
        <DeleteButton title={title} isWatched={isOpen && automatic} remove={remove} />
      </div>
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
    </div>
  );
}

function DeleteButton({ title, isWatched, remove }: { title: string; isWatched: boolean; remove: Action }) {
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
      description={`Its updates and its postmortem go with it, from status pages too. Nobody is told.${
        isWatched ? ' Its monitor opens no other until its status changes again.' : ''
      }`}
      confirm="Delete incident"
      action={action}
      isPending={isDeleting}
      problem={problem}
    />
  );
}
