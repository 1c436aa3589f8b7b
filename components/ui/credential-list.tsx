'use client';

import { type ReactNode, useState } from 'react';
import type { ActionProblem, ActionResult } from './action-result';
import { ConfirmButton } from './confirm-button';
import { formatRotation, type RotationWords } from './credential-consequences';
import { Moment } from './time/moment';
import { Expiry } from './time/period';

/** A secret with only its beginning known. */
export type ListedCredential = {
  id: string;
  name: string;
  hint: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
};

type Props<Item extends ListedCredential, Shown> = {
  items: readonly Item[];
  now: string;
  /** What it is called, and what rotating and revoking one means. */
  words: RotationWords & { revoke: string };
  /** What the reader may do. Without it, the list is read-only. */
  actions?: {
    rotate: (item: Item) => Promise<ActionResult<Shown>>;
    revoke: (item: Item) => Promise<ActionProblem>;
  };
  /** What is shown of one that was just created, this once. */
  showCreated: (created: Shown) => ReactNode;
  /** What follows the hint and the time of creation. */
  badge?: (item: Item) => ReactNode;
  createdBy?: (item: Item) => string | null;
  /** About one that is neither revoked nor expires. */
  lasting?: string;
  /** Precedes when one expires. */
  expiring?: string;
};

/** Credentials, valid ones first, with buttons to rotate and revoke them. */
export function CredentialList<Item extends ListedCredential, Shown>({
  items,
  now,
  words,
  actions,
  showCreated,
  badge,
  ...texts
}: Props<Item, Shown>) {
  const [created, setCreated] = useState<Shown | null>(null);
  const isValid = ({ revokedAt, expiresAt }: Item) =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  const shown = [...items.filter(isValid), ...items.filter((item) => !isValid(item))];
  return (
    <div className="flex flex-col gap-3">
      {created === null ? null : (
        <div className="rounded-lg border border-line bg-surface p-4">{showCreated(created)}</div>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {shown.map((item) => (
          <li key={item.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <span className="font-medium wrap-anywhere">{item.name}</span>
                <span className="font-mono text-xs text-muted">{item.hint}…</span>
                {badge?.(item)}
              </p>
              <p className="text-xs wrap-anywhere text-muted">
                <CredentialFacts item={item} now={now} {...texts} />
              </p>
            </div>
            {actions && isValid(item) ? (
              <div className="flex gap-2">
                <ConfirmButton
                  tone="quiet"
                  label={`Rotate ${item.name} (${item.hint}…)`}
                  title={`Rotate “${item.name}”?`}
                  description={formatRotation(words, item.expiresAt, now)}
                  confirm={`Rotate ${words.noun}`}
                  action={async () => {
                    const { value, problem } = await actions.rotate(item);
                    if (value) setCreated(value);
                    return problem;
                  }}
                >
                  Rotate
                </ConfirmButton>
                <ConfirmButton
                  label={`Revoke ${item.name} (${item.hint}…)`}
                  title={`Revoke “${item.name}”?`}
                  description={words.revoke}
                  confirm={`Revoke ${words.noun}`}
                  action={() => actions.revoke(item)}
                >
                  Revoke
                </ConfirmButton>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

type FactsProps<Item extends ListedCredential> = { item: Item; now: string } & Pick<
  Props<Item, unknown>,
  'createdBy' | 'lasting' | 'expiring'
>;

function CredentialFacts<Item extends ListedCredential>({
  item,
  now,
  createdBy,
  lasting = '',
  expiring = '',
}: FactsProps<Item>) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = item;
  const by = createdBy?.(item) ?? null;
  return (
    <>
      created <Moment at={createdAt} now={now} />
      {by === null ? '' : ` by ${by}`}, {lastUsedAt ? 'last used ' : 'never used'}
      {lastUsedAt ? <Moment at={lastUsedAt} now={now} /> : null}
      {revokedAt ? (
        <>
          {', '}
          <span className="text-bad">
            revoked <Moment at={revokedAt} now={now} />
          </span>
        </>
      ) : expiresAt === null ? (
        lasting
      ) : (
        <>
          {', '}
          {expiring}
          <Expiry at={expiresAt} now={now} />
        </>
      )}
    </>
  );
}
