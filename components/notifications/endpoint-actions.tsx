'use client';

import { Pause, Pencil, Play, Trash2 } from 'lucide-react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionRow } from '@/components/ui/action-row';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { ENDPOINT_DELETION } from './consequences';

type Action = () => Promise<ActionProblem>;
type Props = { name: string; enabled: boolean; editHref: string; setEnabled: Action; remove: Action };

/** Disable or enable, edit, and delete. */
export function EndpointActions({ name, enabled, editHref, setEnabled, remove }: Props) {
  return (
    <ActionRow
      label={enabled ? 'Disable' : 'Enable'}
      icon={enabled ? <Pause /> : <Play />}
      tone={enabled ? 'quiet' : 'primary'}
      action={setEnabled}
    >
      <ButtonLink href={editHref} icon={<Pencil />}>
        Edit
      </ButtonLink>
      <ConfirmButton
        icon={<Trash2 />}
        title={`Delete “${name}”?`}
        description={ENDPOINT_DELETION}
        confirm="Delete channel"
        action={remove}
      >
        Delete
      </ConfirmButton>
    </ActionRow>
  );
}
