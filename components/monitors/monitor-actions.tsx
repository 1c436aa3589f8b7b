'use client';

import { Pause, Play, Trash2 } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { SubmitButton } from '@/components/ui/submit-button';

type Action = () => Promise<string | null>;
type Props = { name: string; enabled: boolean; setEnabled: Action; remove: Action };

/** Pause or resume, and delete. The actions answer what went wrong, or null. */
export function MonitorActions({ name, enabled, setEnabled, remove }: Props) {
  const [problem, toggle, isToggling] = useActionState(setEnabled, null);
  return (
    <div className="flex flex-col items-end gap-2">
      <div className="flex gap-2">
        <form action={toggle}>
          <SubmitButton isPending={isToggling}>
            {isToggling ? null : enabled ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
            {enabled ? 'Pause' : 'Resume'}
          </SubmitButton>
        </form>
        <DeleteButton name={name} remove={remove} />
      </div>
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
    </div>
  );
}

function DeleteButton({ name, remove }: Pick<Props, 'name' | 'remove'>) {
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
            Delete “{name}”?
          </AlertDialog.Title>
          <AlertDialog.Description className="text-muted">
            Its checks, its uptime and its history go with it, for good. An open incident is resolved.
          </AlertDialog.Description>
          <div role="alert" className="empty:sr-only">
            {problem ? <Banner tone="bad">{problem}</Banner> : null}
          </div>
          <form action={action} className="flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <SubmitButton tone="danger" isPending={isDeleting}>
              Delete monitor
            </SubmitButton>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
