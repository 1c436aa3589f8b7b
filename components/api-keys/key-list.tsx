'use client';

import { useState } from 'react';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { Moment } from '@/components/ui/time/moment';
import { Expiry } from '@/components/ui/time/period';
import type { ApiKey } from '@/lib/schemas/api-key';
import { NewApiKey, type ShownKey } from './shown-key';

/** A key and who created it; null if unknown. */
type ListedKey = ApiKey & { createdBy: string | null };

/** What the reader may do with a key. */
type KeyActions = {
  rotate: (id: string) => Promise<ActionResult<ShownKey>>;
  revoke: (id: string) => Promise<ActionProblem>;
};

/** Without `actions` the list is read-only. */
type Props = { keys: ListedKey[]; now: string; actions?: KeyActions };

/** The API keys, active ones first. */
export function KeyList({ keys, now, actions }: Props) {
  const [created, setCreated] = useState<ShownKey | null>(null);
  const isActive = (key: ApiKey) => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
  const shown = [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))];
  return (
    <div className="flex flex-col gap-4">
      {created ? (
        <div className="rounded-lg border border-line bg-surface p-4">
          <NewApiKey key={created.apiKey} {...created} />
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
            {actions && isActive(key) ? (
              <div className="flex gap-2">
                <ConfirmButton
                  tone="quiet"
                  label={`Rotate ${key.name} (${key.hint}…)`}
                  title={`Rotate “${key.name}”?`}
                  description="You get a new key with the same name and scope. The old key keeps working for 24 hours."
                  confirm="Rotate key"
                  action={async () => {
                    const { value, problem } = await actions.rotate(key.id);
                    if (value) setCreated(value);
                    return problem;
                  }}
                >
                  Rotate
                </ConfirmButton>
                <ConfirmButton
                  label={`Revoke ${key.name} (${key.hint}…)`}
                  title={`Revoke “${key.name}”?`}
                  description="Requests with this key will be rejected immediately. This cannot be undone."
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
  const { createdAt, createdBy, lastUsedAt, expiresAt, revokedAt } = apiKey;
  return (
    <>
      created <Moment at={createdAt} now={now} />
      {createdBy ? ` by ${createdBy}` : ''}, {lastUsedAt ? 'last used ' : 'never used'}
      {lastUsedAt ? <Moment at={lastUsedAt} now={now} /> : null}
      {', '}
      {revokedAt ? (
        <span className="text-bad">
          revoked <Moment at={revokedAt} now={now} />
        </span>
      ) : expiresAt === null ? (
        'never expires'
      ) : (
        <Expiry at={expiresAt} now={now} />
      )}
    </>
  );
}
