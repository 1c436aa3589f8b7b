import { ChevronRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { Moment } from '@/components/ui/moment';
import type { DeliveryTry } from '@/lib/schemas/delivery';
import { formatHeaders } from './delivery-texts';
import { Part, TryAnswer } from './try-answer';

/** Every try of a delivery, the newest first and open. */
export function TryList({ tries, now }: { tries: DeliveryTry[]; now: string }) {
  return (
    <ol className="overflow-hidden rounded-lg border border-line bg-surface">
      {tries.toReversed().map((each, index) => (
        <li key={each.id} className="border-b border-line last:border-0">
          <details open={index === 0} className="group">
            <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
              <TrySummary each={each} now={now} />
            </summary>
            <div className="flex flex-col gap-3 border-t border-line px-4 py-4">
              <TryDetail each={each} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

function TrySummary({ each, now }: { each: DeliveryTry; now: string }) {
  const { attempt, manual, startedAt, duration, statusCode, error, finishedAt } = each;
  const isOver = finishedAt !== null;
  const Icon = !isOver ? CircleDashed : error === null ? CircleCheck : CircleX;
  const colour = !isOver ? 'text-muted' : error === null ? 'text-good' : 'text-bad';
  return (
    <>
      <ChevronRight
        className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        aria-hidden="true"
      />
      <span className="w-28 font-medium whitespace-nowrap tabular-nums">
        Try {attempt}
        {manual ? <span className="font-normal text-muted"> by hand</span> : null}
      </span>
      <span className={`flex min-w-0 flex-1 items-center gap-1.5 ${colour}`}>
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        <span className="truncate">{!isOver ? 'Under way' : (error ?? `answered ${statusCode}`)}</span>
      </span>
      <span className="ml-auto whitespace-nowrap text-muted tabular-nums max-sm:w-full max-sm:pl-7 max-sm:text-xs">
        {duration === null ? null : `${duration} ms · `}
        <Moment at={startedAt} now={now} />
      </span>
    </>
  );
}

function TryDetail({ each }: { each: DeliveryTry }) {
  if (each.finishedAt === null) {
    return <p className="text-muted">No answer yet.</p>;
  }
  return (
    <>
      <TryAnswer answer={each} />
      {each.request ? (
        <Part
          title="Request"
          text={`POST ${each.request.url}\n${formatHeaders(each.request.headers)}`}
          label={`Copy the request headers of try ${each.attempt}`}
        />
      ) : null}
    </>
  );
}
