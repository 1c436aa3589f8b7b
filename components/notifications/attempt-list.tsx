import { ChevronRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { CodeBlock, TitledCode } from '@/components/ui/code-block';
import { Moment } from '@/components/ui/time/moment';
import { formatTiming } from '@/lib/core/time/duration';
import { type DeliveryAttempt, isSkipped } from '@/lib/schemas/webhooks/delivery';
import { formatHeaders } from './delivery-texts';

/** All attempts of a delivery, newest first; the newest is expanded. */
export function AttemptList({ attempts, now }: { attempts: DeliveryAttempt[]; now: string }) {
  return (
    <ol className="overflow-hidden rounded-lg border border-line bg-surface">
      {attempts.toReversed().map((each, index) => (
        <li key={each.id} className="border-b border-line last:border-0">
          <details open={index === 0} className="group">
            <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
              <AttemptSummary each={each} now={now} />
            </summary>
            <div className="flex flex-col gap-3 border-t border-line px-4 py-4">
              {each.finishedAt === null ? (
                <p className="text-muted">No response yet.</p>
              ) : (
                <AttemptResponse attempt={each} />
              )}
              {each.finishedAt !== null && each.request ? (
                <TitledCode
                  title="Request"
                  text={`${each.request.method} ${each.request.url}\n${formatHeaders(each.request.headers)}`}
                  label={`Copy request headers of attempt ${each.attempt}`}
                />
              ) : null}
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

function AttemptSummary({ each, now }: { each: DeliveryAttempt; now: string }) {
  const { attempt, manual, startedAt, duration, statusCode, error, finishedAt } = each;
  const isFinished = finishedAt !== null;
  const isCalm = !isFinished || isSkipped(error);
  const Icon = isCalm ? CircleDashed : error === null ? CircleCheck : CircleX;
  const color = isCalm ? 'text-muted' : error === null ? 'text-good' : 'text-bad';
  return (
    <>
      <ChevronRight className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
      <span className="w-28 font-medium whitespace-nowrap tabular-nums">
        Attempt {attempt}
        {manual ? <span className="font-normal text-muted"> (manual)</span> : null}
      </span>
      <span className={`flex min-w-0 flex-1 items-center gap-1.5 ${color}`}>
        <Icon className="size-4 shrink-0" />
        <span className="truncate">
          {!isFinished ? 'In progress' : (error ?? `responded with ${statusCode}`)}
        </span>
      </span>
      <span className="ml-auto whitespace-nowrap text-muted tabular-nums max-sm:w-full max-sm:pl-7 max-sm:text-xs">
        {duration === null ? null : `${formatTiming(duration)} · `}
        <Moment at={startedAt} now={now} />
      </span>
    </>
  );
}

/** The receiver's response to one attempt, or why there is none. */
export function AttemptResponse({ attempt }: { attempt: DeliveryAttempt }) {
  const { statusCode, duration, error, responseHeaders, responseBody } = attempt;
  if (isSkipped(error)) {
    return <p className="text-muted">Nothing was sent: the message of this incident already shows this.</p>;
  }
  const Icon = error === null ? CircleCheck : CircleX;
  return (
    <div className="flex flex-col gap-3">
      <p className={`flex items-start gap-1.5 font-medium ${error === null ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">
          {error === null ? `The receiver responded with ${statusCode}` : `Not delivered: ${error}`}
          {duration === null ? null : (
            <span className="font-normal whitespace-nowrap text-muted"> in {formatTiming(duration)}</span>
          )}
        </span>
      </p>
      {responseHeaders ? (
        <TitledCode
          title="Response headers"
          text={formatHeaders(responseHeaders)}
          label="Copy response headers"
        />
      ) : null}
      {responseBody === null ? null : responseBody === '' ? (
        <p className="text-xs text-muted">The response has no body.</p>
      ) : (
        <TitledCode title="Response body (first 16 KiB)" text={responseBody} label="Copy response body" />
      )}
    </div>
  );
}

/** The body of a delivery, formatted and as sent. */
export function PayloadView({ text }: { text: string }) {
  const bytes = new TextEncoder().encode(text).length;
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock text={JSON.stringify(JSON.parse(text), null, 2)} label="Copy formatted payload" />
      <details>
        <summary className="w-fit text-sm text-muted hover:text-ink">
          Exact body as sent ({bytes} bytes)
        </summary>
        <div className="pt-2">
          <CodeBlock text={text} label="Copy payload as sent" />
        </div>
      </details>
    </div>
  );
}
