'use client';

import { startTransition, useActionState, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Moment } from '@/components/ui/moment';
import type { ApiKey } from '@/lib/schemas/api-key';
import { NewApiKey, type ShownKey } from './shown-key';

/** What a rotation answered: the new key, or what went wrong. */
export type RotatedKey = { made: ShownKey | null; problem: string | null };

/** A key, and who made it; null: not known any more. */
export type ListedKey = ApiKey & { madeBy: string | null };

/** What may be done with a key; absent where the reader only reads. */
export type KeyActions = {
  rotate: (id: string) => Promise<RotatedKey>;
  revoke: (id: string) => Promise<string | null>;
};

type Props = { keys: ListedKey[]; now: string; actions?: KeyActions };

/** The keys, those that work first. */
export function KeyList({ keys, now, actions }: Props) {
  const [made, setMade] = useState<ShownKey | null>(null);
  const works = (key: ApiKey) => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
  const shown = [...keys.filter(works), ...keys.filter((key) => !works(key))];
  return (
    <div className="flex flex-col gap-4">
      {made ? (
        <div className="rounded-lg border border-line bg-surface p-4">
          <NewApiKey key={made.apiKey} {...made} />
        </div>
      ) : null}
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {shown.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-3">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <span className="font-medium wrap-anywhere">{key.name}</span>
                <span className="font-mono text-xs text-muted">{key.hint}…</span>
                <span className="rounded bg-sunken px-1.5 text-xs text-muted">
                  {key.scope === 'write' ? 'read and write' : 'read only'}
                </span>
              </p>
              <p className="text-xs wrap-anywhere text-muted">
                <KeyFacts apiKey={key} now={now} />
              </p>
            </div>
            {actions && works(key) ? (
              <div className="flex gap-2">
                <RotateButton apiKey={key} rotate={actions.rotate.bind(null, key.id)} onMade={setMade} />
                <ConfirmButton
                  label={`Revoke ${key.name} (${key.hint}…)`}
                  title={`Revoke “${key.name}”?`}
                  description="Whatever uses it is refused from now on. This cannot be taken back."
                  confirm="Revoke key"
                  action={actions.revoke.bind(null, key.id)}
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

function KeyFacts({ apiKey, now }: { apiKey: ListedKey; now: string }) {
  const { createdAt, madeBy, lastUsedAt, expiresAt, revokedAt } = apiKey;
  return (
    <>
      made <Moment at={createdAt} now={now} />
      {madeBy ? ` by ${madeBy}` : ''}, {lastUsedAt ? 'used ' : 'never used'}
      {lastUsedAt ? <Moment at={lastUsedAt} now={now} /> : null}
      {', '}
      {revokedAt ? (
        <span className="text-bad">
          revoked <Moment at={revokedAt} now={now} />
        </span>
      ) : expiresAt === null ? (
        'never expires'
      ) : expiresAt > now ? (
        <>
          expires <Moment at={expiresAt} now={now} as="until" />
        </>
      ) : (
        <span className="text-bad">
          expired <Moment at={expiresAt} now={now} />
        </span>
      )}
    </>
  );
}

type RotateProps = {
  apiKey: ApiKey;
  rotate: () => Promise<RotatedKey>;
  onMade: (made: ShownKey) => void;
};

function RotateButton({ apiKey: { name, hint }, rotate, onMade }: RotateProps) {
  const [isAsking, setAsking] = useState(false);
  const [problem, run, isPending] = useActionState(async () => {
    const outcome = await rotate();
    if (outcome.made) {
      onMade(outcome.made);
      setAsking(false);
    }
    return outcome.problem;
  }, null);
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setAsking}
      trigger={<Button aria-label={`Rotate ${name} (${hint}…)`}>Rotate</Button>}
      title={`Rotate “${name}”?`}
      description="You get a new key of the same name and scope. The old one works for 24 hours more, so that nothing is cut off."
      confirm="Rotate key"
      action={() => startTransition(run)}
      isPending={isPending}
      problem={problem}
    />
  );
}
