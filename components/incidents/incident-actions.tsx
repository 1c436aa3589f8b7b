'use client';

import { CircleCheck, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionRow } from '@/components/ui/action-row';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { AcknowledgeButton } from './acknowledge-button';

type Action = () => Promise<ActionProblem>;

type Props = {
  id: string;
  title: string;
  isOpen: boolean;
  automatic: boolean;
  /** Resolves an open incident, or reopens a resolved one. */
  toggle: Action;
  isAcknowledged: boolean;
  /** Acknowledges it, or undoes that. */
  acknowledge: Action;
  remove: Action;
};

/** Resolve or reopen, acknowledge, edit, delete. */
export function IncidentActions({ id, title, isOpen, automatic, toggle, remove, ...more }: Props) {
  return (
    <ActionRow
      label={isOpen ? 'Resolve' : 'Reopen'}
      icon={isOpen ? <CircleCheck /> : <RotateCcw />}
      action={toggle}
    >
      {isOpen ? <AcknowledgeButton {...more} /> : null}
      <ButtonLink href={`/incidents/${id}/edit`} icon={<Pencil />}>
        Edit
      </ButtonLink>
      <ConfirmButton
        icon={<Trash2 />}
        title={`Delete “${title}”?`}
        description={`This permanently deletes the incident with its updates and postmortem, and removes it from status pages. No notifications are sent.${
          isOpen && automatic ? ' Its monitor will not open another incident until its status changes.' : ''
        }`}
        confirm="Delete incident"
        action={remove}
      >
        Delete
      </ConfirmButton>
    </ActionRow>
  );
}
