'use client';

import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { CredentialList } from '@/components/ui/credential-list';
import type { ApiKey } from '@/lib/schemas/api-key';
import { KEY_WORDS } from './consequences';
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
  return (
    <CredentialList
      items={keys}
      now={now}
      words={KEY_WORDS}
      actions={actions && { rotate: ({ id }) => actions.rotate(id), revoke: ({ id }) => actions.revoke(id) }}
      showCreated={(created: ShownKey) => <NewApiKey key={created.apiKey} {...created} />}
      badge={({ scope }) => (
        <span className="rounded bg-sunken px-1.5 text-xs text-muted">
          {scope === 'write' ? 'read and write' : 'read only'}
        </span>
      )}
      createdBy={({ createdBy }) => createdBy}
      lasting=", never expires"
    />
  );
}
