'use client';

import { LoaderCircle, Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ActionResult } from '@/components/ui/action-result';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { ResultBox } from '@/components/ui/result-box';
import { Section } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import type { DeliveryDetail } from '@/lib/schemas/webhooks/delivery';
import { AttemptResponse } from './attempt-list';

const POLL_MS = 400;
/** An attempt takes 30 s at most; after that, no worker has started it. */
const TIMEOUT_MS = 40_000;

type Props = {
  /** Queues a test delivery and returns its ID. */
  send: () => Promise<ActionResult<string>>;
  /** The delivery once its attempt has finished; null until then. */
  readResult: (id: string) => Promise<DeliveryDetail | null>;
  isEnabled: boolean;
};

type Phase =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'late'; id: string }
  | { kind: 'finished'; delivery: DeliveryDetail }
  | { kind: 'failed'; problem: string };

/** Sends a test event to the endpoint and waits for the receiver's response, whichever process sends it. */
export function TestSend({ send, readResult, isEnabled }: Props) {
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' });
  const polling = useRef<AbortController>(null);
  useEffect(() => () => polling.current?.abort(), []);

  // Not a transition: it would hold up the page's own refreshes.
  const run = async () => {
    const abort = new AbortController();
    polling.current = abort;
    setPhase({ kind: 'sending' });
    const next = await runTest({ send, readResult }, abort.signal);
    if (next) setPhase(next);
  };

  return (
    <Section title="Test">
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
        <p className="text-muted">
          Sends one <code className="font-mono text-xs">webhook.test</code> event, regardless of the events
          that the channel receives.{isEnabled ? '' : ' Enable the channel to send a test.'}
        </p>
        <Button
          onClick={run}
          disabled={!isEnabled || phase.kind === 'sending'}
          aria-busy={phase.kind === 'sending'}
          className="self-start"
        >
          {phase.kind === 'sending' ? <LoaderCircle className="animate-spin" /> : <Send />}
          Send test event
        </Button>
        {phase.kind === 'idle' ? null : (
          <ResultBox label="Result of the test" rem={14}>
            <Outcome phase={phase} />
          </ResultBox>
        )}
      </div>
    </Section>
  );
}

const deliveryHref = (id: string) => `/notifications/deliveries/${id}`;

function Outcome({ phase }: { phase: Exclude<Phase, { kind: 'idle' }> }) {
  switch (phase.kind) {
    case 'sending':
      return <p className="text-muted">Waiting up to 30 seconds for the receiver…</p>;
    case 'failed':
      return <Banner tone="bad">{phase.problem}</Banner>;
    case 'late':
      return (
        <Banner tone="slow">
          No worker has sent it yet. It stays queued in{' '}
          <TextLink href={deliveryHref(phase.id)}>the log</TextLink> until one does.
        </Banner>
      );
    case 'finished': {
      const last = phase.delivery.tries.at(-1);
      return (
        <div className="flex flex-col gap-3">
          {last ? <AttemptResponse attempt={last} /> : null}
          <p>
            <TextLink href={deliveryHref(phase.delivery.id)}>View delivery</TextLink>
          </p>
        </div>
      );
    }
  }
}

/** Queues a test and polls for its result; null once the page was left. */
async function runTest(
  { send, readResult }: Pick<Props, 'send' | 'readResult'>,
  signal: AbortSignal,
): Promise<Phase | null> {
  try {
    const { value: id, problem } = await send();
    if (problem !== null) return { kind: 'failed', problem };
    const deadline = performance.now() + TIMEOUT_MS;
    while (performance.now() < deadline) {
      const delivery = await readResult(id);
      if (signal.aborted) return null;
      if (delivery) return { kind: 'finished', delivery };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return { kind: 'late', id };
  } catch {
    const problem = 'The server did not respond. The test may still be sent; check the deliveries below.';
    return { kind: 'failed', problem };
  }
}
