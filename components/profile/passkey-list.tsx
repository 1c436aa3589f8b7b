'use client';

import { useActionState, useState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { Button } from '@/components/ui/button';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { TextField } from '@/components/ui/forms/field';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';
import { formatPasskeyRemoval } from './consequences';

export type PasskeyLine = {
  id: string;
  name: string;
  isSynced: boolean;
  createdAt: string;
  /** Null: it was never used. */
  lastUsedAt: string | null;
};

type Actions = {
  rename: (id: string, name: string) => Promise<ActionProblem>;
  remove: (id: string) => Promise<ActionProblem>;
};

type Props = Actions & {
  passkeys: readonly PasskeyLine[];
  now: string;
  /** Whether the person has an authenticator app, too. */
  hasApp: boolean;
  /** Whether an organization of the person requires a second factor by now. */
  isRequired: boolean;
  /** Why none can be added or used here; null if they can. */
  problem: string | null;
};

const ADD = `/sign-in/add-passkey?${new URLSearchParams({ callbackUrl: '/settings/profile' })}`;

/** The person's passkeys. */
export function PasskeyList({ passkeys, now, hasApp, isRequired, problem, ...actions }: Props) {
  const removal = formatPasskeyRemoval({ hasOther: hasApp || passkeys.length > 1, isRequired });
  return (
    <div className="flex flex-col items-start gap-3">
      {passkeys.length > 0 ? (
        <ul className="w-full divide-y divide-line rounded-lg border border-line bg-surface">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} now={now} removal={removal} {...actions} />
          ))}
        </ul>
      ) : (
        <p className="text-muted">No passkeys.</p>
      )}
      {problem === null ? (
        <ButtonLink href={ADD}>Add a passkey</ButtonLink>
      ) : (
        <p className="text-muted">{problem}</p>
      )}
    </div>
  );
}

type ItemProps = Actions & { passkey: PasskeyLine; now: string; removal: string };

function PasskeyItem({ passkey, now, removal, rename, remove }: ItemProps) {
  const [isRenaming, setRenaming] = useState(false);
  const { id, name, isSynced, createdAt, lastUsedAt } = passkey;
  if (isRenaming) {
    return (
      <li className="px-3 py-2.5">
        <NameForm name={name} save={(typed) => rename(id, typed)} close={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-xs text-muted">
          added <Moment at={createdAt} now={now} /> ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Moment at={lastUsedAt} now={now} />
            </>
          )}
          {isSynced ? ' · synced between devices' : ''}
        </p>
      </div>
      <div className="flex gap-2">
        <Button aria-label={`Rename the passkey ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <ConfirmButton
          label={`Remove the passkey ${name}`}
          title={`Remove the passkey “${name}”?`}
          description={removal}
          confirm="Remove"
          action={() => remove(id)}
        >
          Remove
        </ConfirmButton>
      </div>
    </li>
  );
}

type NameFormProps = { name: string; save: (name: string) => Promise<ActionProblem>; close: () => void };

function NameForm({ name, save, close }: NameFormProps) {
  const [problem, submit, isPending] = useActionState(async (_: ActionProblem, form: FormData) => {
    const found = await save(String(form.get('passkeyName')));
    if (found === null) close();
    return found;
  }, null);
  return (
    <form action={submit} className="flex flex-col gap-3">
      <ProblemAlert problem={problem} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <TextField name="passkeyName" label="Name" defaultValue={name} required maxLength={60} autoFocus />
        </div>
        <div className="flex gap-2">
          <SubmitButton size="large" isPending={isPending}>
            Save
          </SubmitButton>
          <Button size="large" onClick={close}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  );
}
