'use client';

import { Pause, Play, Trash2 } from 'lucide-react';
import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
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
    <ConfirmDialog
      trigger={
        <Button tone="danger">
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      }
      title={`Delete “${name}”?`}
      description="Its checks, its uptime and its history go with it, for good. An open incident is resolved."
      confirm="Delete monitor"
      action={action}
      isPending={isDeleting}
      problem={problem}
    />
  );
}
