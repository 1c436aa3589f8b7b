'use client';

import { Square, Trash2 } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { SubmitButton } from '@/components/ui/submit-button';

type Action = () => Promise<string | null>;
type Props = { title: string; isActive: boolean; end: Action; remove: Action };

/** End now, for what goes on, and delete. The actions answer what went wrong, or null. */
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
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
    </div>
  );
}

function DeleteButton({ title, isActive, remove }: Omit<Props, 'end'>) {
  const [problem, action, isDeleting] = useActionState(remove, null);
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger asChild>
        <Button tone="danger">
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 flex w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-4 rounded-lg border border-line bg-surface p-5 shadow-xl">
          <AlertDialog.Title className="text-base font-semibold break-words">
            Delete “{title}”?
          </AlertDialog.Title>
          <AlertDialog.Description className="text-muted">
            {isActive ? 'It ends now, and alerts begin again. ' : ''}Its past occurrences go with it, from
            status pages too.
          </AlertDialog.Description>
          <div role="alert" className="empty:sr-only">
            {problem ? <Banner tone="bad">{problem}</Banner> : null}
          </div>
          <form action={action} className="flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <SubmitButton tone="danger" isPending={isDeleting}>
              Delete window
            </SubmitButton>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
