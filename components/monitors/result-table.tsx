import { CircleCheck, CircleHelp, CircleX, Timer } from 'lucide-react';
import { Moment } from '@/components/ui/moment';
import type { StoredResult } from '@/lib/monitors/read-results';

const OUTCOMES = {
  ok: { word: 'OK', Icon: CircleCheck, colour: 'text-good' },
  slow: { word: 'Slow', Icon: Timer, colour: 'text-slow' },
  failed: { word: 'Failed', Icon: CircleX, colour: 'text-bad' },
  unknown: { word: 'Unknown', Icon: CircleHelp, colour: 'text-muted' },
} as const;

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted whitespace-nowrap';
const CELL = 'px-3 py-2 max-sm:p-0';
const ROW =
  'border-b border-line last:border-0 max-sm:grid max-sm:grid-cols-[auto_1fr_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2';

/** The latest checks, newest first. */
export function ResultTable({ results, now }: { results: StoredResult[]; now: Date }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse max-sm:block">
        <thead className="border-b border-line max-sm:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-28`}>
              Result
            </th>
            <th scope="col" className={`${HEAD} w-32`}>
              Time
            </th>
            <th scope="col" className={`${HEAD} w-32`}>
              Region
            </th>
            <th scope="col" className={`${HEAD} w-24 text-right`}>
              Response
            </th>
            <th scope="col" className={`${HEAD} w-20 text-right`}>
              Code
            </th>
            <th scope="col" className={HEAD}>
              What was wrong
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {results.map((result) => (
            <ResultRow key={`${result.at.getTime()} ${result.region}`} result={result} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResultRow({ result, now }: { result: StoredResult; now: Date }) {
  const { word, Icon, colour } = OUTCOMES[result.outcome];
  return (
    <tr className={ROW}>
      <td className={`${CELL} whitespace-nowrap`}>
        <span className={`inline-flex items-center gap-1.5 align-middle ${colour}`}>
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          {word}
        </span>
      </td>
      <td className={`${CELL} whitespace-nowrap text-muted tabular-nums`}>
        <Moment at={result.at.toISOString()} now={now.toISOString()} />
      </td>
      <td className={`${CELL} whitespace-nowrap max-sm:hidden`}>{result.region ?? '–'}</td>
      <td className={`${CELL} text-right whitespace-nowrap tabular-nums`}>
        {result.responseTime === null ? '–' : `${result.responseTime} ms`}
      </td>
      <td className={`${CELL} text-right font-mono text-xs max-sm:hidden`}>{result.statusCode ?? '–'}</td>
      <td className={`${CELL} text-muted break-words max-sm:col-span-3 max-sm:text-xs`}>{result.error}</td>
    </tr>
  );
}
