'use client';

import { startTransition, useActionState, useState } from 'react';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Section } from '@/components/ui/section';
import { ShownOnce } from '@/components/ui/shown-once';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import { SECRET_REPLACEMENT } from './consequences';

/** Computes the expected signature header from the raw body. */
const VERIFY = `printf 'sha256=%s' "$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')"`;

type Props = {
  /** When the old secret expires; null if there is only one. */
  rotationEndsAt: string | null;
  now: string;
  /** Absent for viewers. */
  actions?: {
    rotate: (immediate: boolean) => Promise<ActionResult<string>>;
    finish: () => Promise<ActionProblem>;
  };
};

/** Rotates the signing secret, with or without a period in which both are valid. Never shows the current one. */
export function SecretSection({ rotationEndsAt, now, actions }: Props) {
  return (
    <Section title="Signing secret">
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
        <p className="text-muted">
          {rotationEndsAt ? (
            <>
              <strong className="font-medium text-ink">Two secrets are valid.</strong> The old one expires{' '}
              <Moment at={rotationEndsAt} now={now} as="until" />. Until then, every request carries both
              signatures. Finish the rotation once your receiver has the new secret.
            </>
          ) : (
            'Signs every request. It was shown once, when it was created. After a rotation, both secrets are valid for 24 hours.'
          )}
        </p>
        {actions ? <Rotation isRotating={rotationEndsAt !== null} {...actions} /> : null}
      </div>
    </Section>
  );
}

type RotationProps = { isRotating: boolean } & NonNullable<Props['actions']>;

function Rotation({ isRotating, rotate, finish }: RotationProps) {
  const [isConfirming, setConfirming] = useState(false);
  const [rotated, replace, isReplacing] = useActionState(
    async (_: ActionResult<string> | null, immediate: boolean) => {
      const outcome = await rotate(immediate);
      if (outcome.value) setConfirming(false);
      return outcome;
    },
    null,
  );
  const [finishProblem, end, isEnding] = useActionState(finish, null);
  const problem = isConfirming ? null : (rotated?.problem ?? finishProblem);
  return (
    <>
      <ProblemAlert problem={problem} />
      {rotated?.value ? <NewSecret key={rotated.value} secret={rotated.value} /> : null}
      <div className="flex flex-wrap gap-2">
        {isRotating ? (
          <form action={end}>
            <SubmitButton isPending={isEnding}>Finish now</SubmitButton>
          </form>
        ) : (
          <form action={() => replace(false)}>
            <SubmitButton isPending={isReplacing}>Rotate secret</SubmitButton>
          </form>
        )}
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          trigger={<Button tone="danger">Leaked: replace immediately</Button>}
          title="Replace the secret immediately?"
          description={SECRET_REPLACEMENT}
          confirm="Replace immediately"
          action={() => startTransition(() => replace(true))}
          isPending={isReplacing}
          problem={rotated?.problem ?? null}
        />
      </div>
    </>
  );
}

/** A new signing secret, and how to verify signatures with it. */
export function NewSecret({ secret }: { secret: string }) {
  return (
    <ShownOnce
      title="Your signing secret"
      level="h2"
      text={secret}
      copyLabel="Copy signing secret"
      note="Copy it now. You won’t be able to see it again. If you lose it, rotate it."
    >
      <p className="text-muted">
        Accept only requests whose <code className="font-mono text-xs">X-Service-Signature</code> is the
        HMAC-SHA256 of the raw body with this secret, <code className="font-mono text-xs">whsec_</code>{' '}
        included. In a shell:
      </p>
      <CodeBlock text={VERIFY} label="Copy command" />
      <p className="text-muted">
        <TextLink href="/docs#verifying-webhooks">Example receivers in Node.js, Python, and Go</TextLink> are
        in the API reference.
      </p>
    </ShownOnce>
  );
}
