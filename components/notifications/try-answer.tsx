import { CircleCheck, CircleX } from 'lucide-react';
import { CodeBlock } from '@/components/ui/code-block';
import type { DeliveryTry } from '@/lib/schemas/delivery';
import { formatHeaders } from './delivery-texts';

/** What a receiver answered to one try, or why there is no answer. */
export function TryAnswer({ answer }: { answer: DeliveryTry }) {
  const { statusCode, duration, error, responseHeaders, responseBody } = answer;
  const Icon = error === null ? CircleCheck : CircleX;
  return (
    <div className="flex flex-col gap-3">
      <p className={`flex items-start gap-1.5 font-medium ${error === null ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <span className="min-w-0 break-words">
          {error === null ? `The receiver answered ${statusCode}` : `Not delivered: ${error}`}
          {duration === null ? null : (
            <span className="font-normal whitespace-nowrap text-muted"> after {duration} ms</span>
          )}
        </span>
      </p>
      {responseHeaders ? (
        <Part
          title="Answer's headers"
          text={formatHeaders(responseHeaders)}
          label="Copy the answer's headers"
        />
      ) : null}
      {responseBody === null ? null : responseBody === '' ? (
        <p className="text-xs text-muted">The answer has no body.</p>
      ) : (
        <Part title="Answer's body, the first 16 KiB" text={responseBody} label="Copy the answer's body" />
      )}
    </div>
  );
}

/** A text of a request or an answer, under its name. */
export function Part({ title, text, label }: { title: string; text: string; label: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-muted">{title}</p>
      <CodeBlock text={text} label={label} />
    </div>
  );
}
