'use client';

import type { ComponentProps } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';

/** A form of one field with its button, which says when it was saved. */
export function SavedForm(props: Omit<ComponentProps<typeof ActionForm>, 'isInline'>) {
  const [state] = props.submission;
  return (
    <div className="flex flex-col gap-3">
      <ActionForm {...props} isInline />
      <p role="status" className="text-sm text-good empty:sr-only">
        {state.attempt > 0 && !state.message ? 'Saved.' : ''}
      </p>
    </div>
  );
}
