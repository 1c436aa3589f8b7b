'use client';

import { LoaderCircle, Send } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import type { DeliveryDetail } from '@/lib/schemas/delivery';
import { AttemptResponse } from './attempt-list';

const ASK_MS = 400;
/** A try takes 30 s at most; what takes longer was not begun. */
const PATIENCE_MS = 40_000;

/** What asking for a test answered: the delivery that a worker will send, or what went wrong. */
export type Begun = { id: string; problem: null } | { id: null; problem: string };

type Props = {
  send: () => Promise<Begun>;
  /** The delivery once its try has ended; null until then. */
  readAnswer: (id: string) => Promise<DeliveryDetail | null>;
  isEnabled: boolean;
};

type Phase =
  | { kind: 'idle' | 'sending' }
  | { kind: 'late'; id: string }
  | { kind: 'answered'; delivery: DeliveryDetail }
  | { kind: 'refused'; problem: string };

/** Sends a test to the endpoint and waits for what its receiver answers, whichever process sends it. */
export function TestSend({ send, readAnswer, isEnabled }: Props) {
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' });
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  // No transition: the page's own refreshes would wait for its end.
  const run = async () => {
    setPhase({ kind: 'sending' });
    const next = await ask({ send, readAnswer }, () => isHere.current);
    if (next) setPhase(next);
  };

  return (
    <section aria-labelledby="test-title" className="flex flex-col gap-3">
      <h2 id="test-title" className="text-sm font-semibold">
        Test
      </h2>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
        <p className="text-muted">
          Sends the event <code className="font-mono text-xs">webhook.test</code> once, whatever the endpoint
          is told of otherwise.{isEnabled ? '' : ' Nothing is sent while the endpoint is disabled.'}
        </p>
        <Button
          onClick={run}
          disabled={!isEnabled || phase.kind === 'sending'}
          aria-busy={phase.kind === 'sending'}
          className="self-start"
        >
          {phase.kind === 'sending' ? (
            <LoaderCircle className="animate-spin" aria-hidden="true" />
          ) : (
            <Send aria-hidden="true" />
          )}
          Send a test
        </Button>
        <div role="status" className="empty:sr-only">
          <Outcome phase={phase} />
        </div>
      </div>
    </section>
  );
}

function Outcome({ phase }: { phase: Phase }) {
  switch (phase.kind) {
    case 'idle':
      return null;
    case 'sending':
      return <p className="text-muted">Sent to a worker; waiting for the receiver, for up to 30 seconds.</p>;
    case 'refused':
      return <Banner tone="bad">{phase.problem}</Banner>;
    case 'late':
      return (
        <Banner tone="slow">
          No worker has sent it yet. It waits in <DeliveryLink id={phase.id}>the log</DeliveryLink> until one
          does.
        </Banner>
      );
    case 'answered': {
      const last = phase.delivery.tries.at(-1);
      return (
        <div className="flex flex-col gap-3">
          {last ? <AttemptResponse answer={last} /> : null}
          <p>
            <DeliveryLink id={phase.delivery.id}>What was sent</DeliveryLink>
          </p>
        </div>
      );
    }
  }
}

function DeliveryLink({ id, children }: { id: string; children: string }) {
  return (
    <Link
      prefetch={false}
      href={`/notifications/deliveries/${id}`}
      className="text-accent underline underline-offset-2"
    >
      {children}
    </Link>
  );
}

/** Asks for a test, then for its answer until it is there; null when nobody waits any more. */
async function ask(
  { send, readAnswer }: Pick<Props, 'send' | 'readAnswer'>,
  isAwaited: () => boolean,
): Promise<Phase | null> {
  try {
    const { id, problem } = await send();
    if (problem !== null) return { kind: 'refused', problem };
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      const delivery = await readAnswer(id);
      if (!isAwaited()) return null;
      if (delivery) return { kind: 'answered', delivery };
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
    return { kind: 'late', id };
  } catch {
    const problem = 'The service did not answer. The test may still be sent: look at the deliveries below.';
    return { kind: 'refused', problem };
  }
}
