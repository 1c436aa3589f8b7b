'use client';

import { useState } from 'react';
import { RecoveryCodes } from '@/components/auth/recovery-codes';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { Moment } from '@/components/ui/time/moment';
import { CODES_RENEWAL, formatAppRemoval } from './consequences';

type Props = {
  /** When the authenticator app was set up, in ISO 8601; null: there is none. */
  since: string | null;
  /** Whether the person has a passkey, which recovery codes replace, too. */
  hasPasskey: boolean;
  /** Whether an organization of the person requires a second factor by now. */
  isRequired: boolean;
  recoveryCodesLeft: number;
  now: string;
  renewCodes: () => Promise<ActionResult<string[]>>;
  remove: () => Promise<ActionProblem>;
};

const SET_UP = `/sign-in/set-up-second-factor?${new URLSearchParams({ callbackUrl: '/settings/profile' })}`;

/** The person's second factor, other than passkeys. */
export function FactorSection({ since, hasPasskey, isRequired, recoveryCodesLeft, now, ...actions }: Props) {
  const { renewCodes, remove } = actions;
  const [codes, setCodes] = useState<string[] | null>(null);
  const setUp = <ButtonLink href={SET_UP}>Set up an authenticator app</ButtonLink>;
  if (since === null && !hasPasskey) {
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-muted">No second factor set up.</p>
        {setUp}
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-4">
      <ul className="w-full divide-y divide-line rounded-lg border border-line bg-surface">
        {since === null ? null : (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
            <div className="min-w-0 flex-1 basis-48">
              <p className="font-medium">Authenticator app</p>
              <p className="text-xs text-muted">
                set up <Moment at={since} now={now} />
              </p>
            </div>
            <ConfirmButton
              label="Remove the authenticator app"
              title="Remove the authenticator app?"
              description={formatAppRemoval({ hasOther: hasPasskey, isRequired })}
              confirm="Remove"
              action={remove}
            >
              Remove
            </ConfirmButton>
          </li>
        )}
        <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-medium">Recovery codes</p>
            <p className={`text-xs ${recoveryCodesLeft < 3 ? 'text-bad' : 'text-muted'}`}>
              {recoveryCodesLeft} left
            </p>
          </div>
          <ConfirmButton
            tone="quiet"
            label="Create new recovery codes"
            title="Create new recovery codes?"
            description={CODES_RENEWAL}
            confirm="Create codes"
            action={async () => {
              const { value, problem } = await renewCodes();
              if (value) setCodes(value);
              return problem;
            }}
          >
            Create new codes
          </ConfirmButton>
        </li>
      </ul>
      {since === null ? setUp : null}
      {codes ? <RecoveryCodes key={codes[0]} codes={codes} /> : null}
    </div>
  );
}
