'use client';

import { Square, Trash2 } from 'lucide-react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionRow } from '@/components/ui/action-row';
import { ConfirmButton } from '@/components/ui/confirm-button';

type Action = () => Promise<ActionProblem>;
type Props = {
  title: string;
  isActive: boolean;
  /** What deleting it means. */
  deletion: string;
  end: Action;
  remove: Action;
};

/** Ends an active window, and deletes any window. */
export function MaintenanceActions({ title, isActive, deletion, end, remove }: Props) {
  return (
    <ActionRow label="End now" icon={<Square />} action={isActive ? end : null}>
      <ConfirmButton
        icon={<Trash2 />}
        title={`Delete “${title}”?`}
        description={deletion}
        confirm="Delete window"
        action={remove}
      >
        Delete
      </ConfirmButton>
    </ActionRow>
  );
}
