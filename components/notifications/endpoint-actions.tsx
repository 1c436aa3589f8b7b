'use client';

import { Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ButtonLink } from '@/components/ui/button';
import { ConfirmButton } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';

type Action = () => Promise<ActionProblem>;
type Props = { name: string; enabled: boolean; editHref: string; setEnabled: Action; remove: Action };

/** Edit, disable or enable, and delete. */
export function EndpointActions({ name, enabled, editHref, setEnabled, remove }: Props) {
  const [problem, toggle, isToggling] = useActionState(setEnabled, null);
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={editHref} icon={<Pencil />}>
          Edit
        </ButtonLink>
        <form action={toggle}>
          <SubmitButton
            isPending={isToggling}
            tone={enabled ? 'quiet' : 'primary'}
            icon={enabled ? <Pause /> : <Play />}
          >
            {enabled ? 'Disable' : 'Enable'}
          </SubmitButton>
        </form>
        <ConfirmButton
          icon={<Trash2 />}
          title={`Delete “${name}”?`}
          description="No more events are sent to it, and pending deliveries fail. Past deliveries stay in the log."
          confirm="Delete endpoint"
          action={remove}
        >
          Delete
        </ConfirmButton>
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}
