'use client';

import Link from 'next/link';
import { startTransition, useActionState, useEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SubmitButton } from '@/components/ui/form';
import { Moment } from '@/components/ui/moment';

/** The header that has to be found in a request, computed from its raw body. */
const VERIFY = `printf 'sha256=%s' "$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')"`;

/** What a rotation answered: the new secret, or what went wrong. */
export type Rotated = { secret: string | null; problem: string | null };

type Props = {
  /** Until when the old secret signs as well; null: there is one secret. */
  rotationEndsAt: string | null;
  now: string;
  /** Absent where the reader may change nothing. */
  actions?: {
    rotate: (immediate: boolean) => Promise<Rotated>;
    finish: () => Promise<string | null>;
  };
};

const NOTHING: Rotated = { secret: null, problem: null };

/** The signing secret: never shown here, but replaced, with or without a time in which both are valid. */
export function SecretSection({ rotationEndsAt, now, actions }: Props) {
  return (
    <section aria-labelledby="secret-title" className="flex flex-col gap-3">
      <h2 id="secret-title" className="text-sm font-semibold">
        Signing secret
      </h2>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
        <p className="text-muted">
          {rotationEndsAt ? (
            <>
              <strong className="font-medium text-ink">Two secrets are valid.</strong> The old one ends{' '}
              <Moment at={rotationEndsAt} now={now} as="until" />; until then every request carries the
              signatures of both. Finish when your receiver has the new one.
            </>
          ) : (
            'Every request is signed with it. It was shown when it was made; when it is rotated, both secrets are valid for 24 hours.'
          )}
        </p>
        {actions ? <Rotation isRotating={rotationEndsAt !== null} {...actions} /> : null}
      </div>
    </section>
  );
}

type RotationProps = { isRotating: boolean } & NonNullable<Props['actions']>;

function Rotation({ isRotating, rotate, finish }: RotationProps) {
  const [isAsking, setAsking] = useState(false);
  const [rotated, replace, isReplacing] = useActionState(async (_: Rotated, immediate: boolean) => {
    const outcome = await rotate(immediate);
    if (outcome.secret) setAsking(false);
    return outcome;
  }, NOTHING);
  const [refusal, end, isEnding] = useActionState(finish, null);
  const problem = isAsking ? null : (rotated.problem ?? refusal);
  return (
    <>
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
      {rotated.secret ? <NewSecret key={rotated.secret} secret={rotated.secret} /> : null}
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
          open={isAsking}
          onOpenChange={setAsking}
          trigger={<Button tone="danger">Leaked: replace immediately</Button>}
          title="Replace the secret immediately?"
          description="Every older secret ends at once. Until your receiver has the new one, it will refuse what is sent."
          confirm="Replace immediately"
          action={() => startTransition(() => replace(true))}
          isPending={isReplacing}
          problem={rotated.problem}
        />
      </div>
    </>
  );
}

/** A signing secret, right after it was made: the only time that it is shown. */
export function NewSecret({ secret }: { secret: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-secret" className="flex flex-col gap-3">
      <h2 id="new-secret" ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        Your signing secret
      </h2>
      <Banner tone="slow">
        Keep it now: it is stored encrypted and not shown again. If you lose it, rotate it.
      </Banner>
      <CodeBlock text={secret} label="Copy the signing secret" />
      <p className="text-muted">
        Believe only requests whose <code className="font-mono text-xs">X-Service-Signature</code> is the
        HMAC-SHA256 of the raw body under this secret, <code className="font-mono text-xs">whsec_</code>{' '}
        included. In a shell:
      </p>
      <CodeBlock text={VERIFY} label="Copy the command" />
      <p className="text-muted">
        <Link
          prefetch={false}
          href="/docs#verifying-webhooks"
          className="text-accent underline underline-offset-2"
        >
          Receivers in Node.js, Python and Go
        </Link>{' '}
        are in the API reference.
      </p>
    </section>
  );
}
