'use client';

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { KeyRound, LoaderCircle } from 'lucide-react';
import { startTransition, useActionState } from 'react';
import type { ActionResult } from '@/components/ui/action-result';
import { Button } from '@/components/ui/button';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { formatPasskeyProblem } from './passkey-problems';

/** Returns what the browser needs to ask for a passkey. */
export type BeginPasskeyUse = () => Promise<ActionResult<PublicKeyCredentialRequestOptionsJSON>>;

type Props = {
  begin: BeginPasskeyUse;
  /** Receives what the passkey returned, in JSON, and the form around the button. */
  use: (response: string, form: HTMLFormElement | null) => void;
  /** Whether what it returned is being verified. */
  isPending: boolean;
  tone?: 'primary' | 'quiet';
  children: string;
};

/** Has the browser ask for a passkey. */
export function PasskeyButton({ begin, use, isPending, tone = 'quiet', children }: Props) {
  const [problem, ask, isAsking] = useActionState(
    async (_: string | null, form: HTMLFormElement | null): Promise<string | null> => {
      const { value, problem } = await begin();
      if (value === null) return problem;
      try {
        const { startAuthentication } = await import('@simplewebauthn/browser');
        use(JSON.stringify(await startAuthentication({ optionsJSON: value })), form);
        return null;
      } catch (error) {
        return formatPasskeyProblem(error);
      }
    },
    null,
  );
  const isBusy = isAsking || isPending;
  return (
    <div className="flex flex-col gap-4">
      <ProblemAlert problem={isBusy ? null : problem} />
      <Button
        tone={tone}
        size="large"
        disabled={isBusy}
        aria-busy={isBusy}
        icon={isBusy ? <LoaderCircle className="animate-spin" /> : <KeyRound />}
        onClick={({ currentTarget }) => startTransition(() => ask(currentTarget.form))}
      >
        {children}
      </Button>
    </div>
  );
}
