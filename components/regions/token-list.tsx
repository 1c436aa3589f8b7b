'use client';

import { useState } from 'react';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { Moment } from '@/components/ui/time/moment';
import { Expiry } from '@/components/ui/time/period';
import type { ProbeToken } from '@/lib/schemas/probes/probe-token';
import { NewProbeToken, type ShownToken } from './shown-token';

/** What the reader may do with a token. */
export type TokenActions = {
  rotate: (region: string, id: string) => Promise<ActionResult<ShownToken>>;
  revoke: (region: string, id: string) => Promise<ActionProblem>;
};

/** Without `actions` the list is read-only. */
type Props = { tokens: readonly ProbeToken[]; now: string; actions?: TokenActions };

/** The tokens of an own region, valid ones first. */
export function TokenList({ tokens, now, actions }: Props) {
  const [created, setCreated] = useState<ShownToken | null>(null);
  const isValid = ({ revokedAt, expiresAt }: ProbeToken) =>
    revokedAt === null && (expiresAt === null || expiresAt > now);
  const shown = [...tokens.filter(isValid), ...tokens.filter((token) => !isValid(token))];
  return (
    <div className="flex flex-col gap-3">
      {created ? (
        <div className="rounded-lg border border-line bg-surface p-4">
          <NewProbeToken key={created.token} {...created} />
        </div>
      ) : null}
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {shown.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <span className="font-medium wrap-anywhere">{token.name}</span>
                <span className="font-mono text-xs text-muted">{token.hint}…</span>
              </p>
              <p className="text-xs text-muted">
                <TokenFacts token={token} now={now} />
              </p>
            </div>
            {actions && isValid(token) ? (
              <div className="flex gap-2">
                <ConfirmButton
                  tone="quiet"
                  label={`Rotate ${token.name} (${token.hint}…)`}
                  title={`Rotate “${token.name}”?`}
                  description="You get a new token with the same name. The old one keeps working for 24 hours: restart its probes with the new one until then."
                  confirm="Rotate token"
                  action={async () => {
                    const { value, problem } = await actions.rotate(token.region, token.id);
                    if (value) setCreated(value);
                    return problem;
                  }}
                >
                  Rotate
                </ConfirmButton>
                <ConfirmButton
                  label={`Revoke ${token.name} (${token.hint}…)`}
                  title={`Revoke “${token.name}”?`}
                  description="Probes with this token are refused immediately, and their results with them. This cannot be undone."
                  confirm="Revoke token"
                  action={actions.revoke.bind(null, token.region, token.id)}
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

function TokenFacts({ token, now }: { token: ProbeToken; now: string }) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = token;
  return (
    <>
      created <Moment at={createdAt} now={now} />, {lastUsedAt ? 'last used ' : 'never used'}
      {lastUsedAt ? <Moment at={lastUsedAt} now={now} /> : null}
      {revokedAt ? (
        <span className="text-bad">
          , revoked <Moment at={revokedAt} now={now} />
        </span>
      ) : expiresAt === null ? null : (
        <>
          , replaced, <Expiry at={expiresAt} now={now} />
        </>
      )}
    </>
  );
}
