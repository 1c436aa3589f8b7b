'use client';

import { CircleCheck, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { ActionRow } from '@/components/ui/action-row';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { AcknowledgeButton } from './acknowledge-button';
import {
  formatDeleting,
  formatResolving,
  isHeard,
  offersWaiting,
  type Resolving,
  WAIT_LABEL,
} from './consequences';

type Action = () => Promise<ActionProblem>;

type Props = Pick<Incident, 'id' | 'title' | 'status'> & {
  /** What resolving it now would do; null: it is resolved. */
  resolving: Resolving | null;
  /** Resolves an open incident, or reopens a resolved one. */
  toggle: Action;
  /** Has it resolved once its monitors are up. */
  wait: Action;
  isAcknowledged: boolean;
  /** Acknowledges it, or undoes that. */
  acknowledge: Action;
  remove: Action;
};

/** Resolve or reopen, acknowledge, edit, delete. */
export function IncidentActions({ id, title, status, resolving, toggle, wait, remove, ...more }: Props) {
  /** The button that had the focus is replaced by another one. */
  const [isResolvedHere, setResolvedHere] = useState(false);
  const isOpen = resolving !== null;
  const asks = isOpen && (resolving.preview.failing.length > 0 || isHeard(resolving));
  const resolve = async () => {
    const problem = await toggle();
    if (problem === null) setResolvedHere(true);
    return problem;
  };
  return (
    <ActionRow
      label={isOpen ? 'Resolve' : 'Reopen'}
      icon={isOpen ? <CircleCheck /> : <RotateCcw />}
      autoFocus={isResolvedHere}
      action={asks ? null : toggle}
    >
      {asks ? (
        <ResolveButton title={title} status={status} resolving={resolving} resolve={resolve} wait={wait} />
      ) : null}
      {isOpen ? <AcknowledgeButton {...more} /> : null}
      <ButtonLink href={`/incidents/${id}/edit`} icon={<Pencil />}>
        Edit
      </ButtonLink>
      <ConfirmButton
        icon={<Trash2 />}
        title={`Delete “${title}”?`}
        description={<Paragraphs texts={formatDeleting(resolving)} />}
        confirm="Delete incident"
        action={remove}
      >
        Delete
      </ConfirmButton>
    </ActionRow>
  );
}

type ResolveProps = Pick<Props, 'title' | 'status' | 'wait'> & { resolving: Resolving; resolve: Action };

/** Resolves an incident after saying who is notified, and warns while its monitors are still failing. */
function ResolveButton({ title, status, resolving, resolve, wait }: ResolveProps) {
  const isOver = resolving.preview.failing.length === 0;
  return (
    <ConfirmButton
      tone="quiet"
      icon={<CircleCheck />}
      title={`Resolve “${title}”?`}
      description={<Paragraphs texts={formatResolving(resolving, status)} />}
      confirm={isOver ? 'Resolve incident' : 'Resolve anyway'}
      cancel="Leave open"
      isMild={isOver}
      action={resolve}
      alternative={offersWaiting(resolving.preview) ? { label: WAIT_LABEL, action: wait } : undefined}
    >
      Resolve
    </ConfirmButton>
  );
}

function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => <p key={text}>{text}</p>);
}
