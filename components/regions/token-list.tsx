'use client';

import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { CredentialList } from '@/components/ui/credential-list';
import type { ProbeToken } from '@/lib/schemas/probes/probe-token';
import { NewProbeToken, type ShownToken } from './shown-token';

/** What the reader may do with a token. */
export type TokenActions = {
  rotate: (region: string, id: string) => Promise<ActionResult<ShownToken>>;
  revoke: (region: string, id: string) => Promise<ActionProblem>;
};

const WORDS = {
  noun: 'token',
  rotate:
    'You get a new token with the same name. The old one keeps working for 24 hours: restart its probes with the new one until then.',
  revoke:
    'Probes with this token are refused immediately, and their results with them. This cannot be undone.',
};

/** Without `actions` the list is read-only. */
type Props = { tokens: readonly ProbeToken[]; now: string; actions?: TokenActions };

/** The tokens of an own region, valid ones first. */
export function TokenList({ tokens, now, actions }: Props) {
  return (
    <CredentialList
      items={tokens}
      now={now}
      words={WORDS}
      actions={
        actions && {
          rotate: ({ region, id }: ProbeToken) => actions.rotate(region, id),
          revoke: ({ region, id }: ProbeToken) => actions.revoke(region, id),
        }
      }
      showCreated={(created: ShownToken) => <NewProbeToken key={created.token} {...created} />}
      expiring="replaced, "
    />
  );
}
