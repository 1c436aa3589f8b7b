'use client';

import { signIn } from 'next-auth/react';
import { useActionState } from 'react';
import type { ActionProblem } from '@/components/ui/action-result';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';

type LinkedLine = {
  issuer: string;
  subject: string;
  provider: string;
  email: string | null;
  lastUsedAt: string;
};

type Props = {
  linked: LinkedLine[];
  /** What else can be linked. */
  providers: readonly { id: string; name: string }[];
  now: string;
  /** Why the last attempt to link failed. */
  problem: string | null;
  prepare: () => Promise<ActionProblem>;
  unlink: (account: { issuer: string; subject: string }) => Promise<ActionProblem>;
};

/** The accounts at providers with which the person can sign in. */
export function LinkedAccounts({ linked, providers, now, problem, prepare, unlink }: Props) {
  const [linkProblem, link, isLinking] = useActionState(async (_: ActionProblem, id: string) => {
    const found = await prepare();
    if (found === null) await signIn(id, { callbackUrl: '/settings/profile' });
    return found;
  }, problem);
  const [unlinkProblem, end, isEnding] = useActionState(
    (_: ActionProblem, account: Parameters<typeof unlink>[0]) => unlink(account),
    null,
  );
  return (
    <div className="flex flex-col gap-3">
      <ProblemAlert problem={unlinkProblem ?? linkProblem} />
      {linked.length > 0 ? (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {linked.map(({ issuer, subject, provider, email, lastUsedAt }) => (
            <li
              key={`${issuer} ${subject}`}
              className="flex items-center gap-3 border-b border-line px-3 py-2.5 last:border-0"
            >
              <div className="min-w-0 flex-1">
                <p className="font-medium wrap-anywhere">{provider}</p>
                <p className="text-xs text-muted wrap-anywhere">
                  {email ? `${email} · ` : ''}last used <Moment at={lastUsedAt} now={now} />
                </p>
              </div>
              <form action={() => end({ issuer, subject })}>
                <SubmitButton isPending={isEnding} aria-label={`Unlink ${provider}`}>
                  Unlink
                </SubmitButton>
              </form>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">No accounts linked.</p>
      )}
      <div className="flex flex-wrap gap-2">
        {providers.map(({ id, name }) => (
          <form key={id} action={() => link(id)}>
            <SubmitButton isPending={isLinking}>Link {name}</SubmitButton>
          </form>
        ))}
      </div>
    </div>
  );
}
