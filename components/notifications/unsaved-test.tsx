import { CircleCheck, CircleX, LoaderCircle, Send } from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { callRoute, type RouteResult } from '@/components/ui/call-route';
import { readTyped } from '@/components/ui/forms/form-state';
import { ResultBox } from '@/components/ui/result-box';
import { formatTiming } from '@/lib/core/time/duration';
import type { UnsavedTest } from '@/lib/domain/webhooks/test-unsaved';

type Result = RouteResult<UnsavedTest>;
type Props = {
  /** The route that sends it. */
  path: string;
  /** What people call the channel. */
  name: string;
  /** Whether a program receives it, and not people. */
  isProgram: boolean;
  /** By the name of the field. */
  labels: Readonly<Record<string, string>>;
};

/**
 * Sends a test with what is typed in the form around it, before anything is saved. The result has a place of its own, so that nothing moves;
 * pressing the button again stops the test.
 */
export function UnsavedTestSend({ path, ...channel }: Props) {
  const [result, setResult] = useState<Result | 'sending' | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = async ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setResult('sending');
    const typed = readTyped(new FormData(form));
    const received = await callRoute<UnsavedTest>(path, { typed }, controller.signal);
    if (!controller.signal.aborted) setResult(received);
  };

  const isSending = result === 'sending';
  return (
    <section
      aria-label="Test"
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 text-sm"
    >
      <Button
        onClick={send}
        aria-busy={isSending}
        icon={isSending ? <LoaderCircle className="animate-spin" /> : <Send />}
        className="self-start"
      >
        Send a test
      </Button>
      <ResultBox label="Result of the test" rem={4}>
        <Outcome result={result} {...channel} />
      </ResultBox>
    </section>
  );
}

function Outcome({
  result,
  name,
  isProgram,
  labels,
}: Omit<Props, 'path'> & { result: Result | 'sending' | null }) {
  if (result === null)
    return <p className="text-muted">Sends one message with what you entered. Nothing is saved yet.</p>;
  if (result === 'sending') return <p className="text-muted">Waiting up to 30 seconds for {name}…</p>;
  if (!result.ok) return <Failure text={formatRefused(result, labels)} />;
  const { error, statusCode, duration, responseBody } = result.value;
  if (error !== null) return <Failure text={`Not delivered: ${error}`} response={responseBody} />;
  return (
    <p className="flex items-start gap-1.5 text-good">
      <CircleCheck className="mt-0.5 size-4 shrink-0" />
      <span>
        Delivered: it responded with {statusCode} in {formatTiming(duration)}.{' '}
        {isProgram ? 'Check that your program received it.' : `Look for the message in ${name}.`}
      </span>
    </p>
  );
}

function Failure({ text, response = '' }: { text: string; response?: string }) {
  return (
    <div className="flex items-start gap-1.5 text-bad">
      <CircleX className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p className="wrap-anywhere">{text}</p>
        {response === '' ? null : <p className="font-mono text-xs wrap-anywhere text-muted">{response}</p>}
      </div>
    </div>
  );
}

/** Why a test was refused: the fields that are wrong, by the labels of the form, or the message. */
export function formatRefused(
  { message, errors }: { message: string; errors: Record<string, string> },
  labels: Readonly<Record<string, string>>,
): string {
  const fields = Object.entries(errors).map(([field, error]) =>
    /^[A-Z]/.test(error) ? error : `${new Map(Object.entries(labels)).get(field) ?? field} ${error}.`,
  );
  return fields.length > 0 ? fields.join(' ') : message;
}
