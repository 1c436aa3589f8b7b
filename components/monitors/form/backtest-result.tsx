import { Moment } from '@/components/ui/moment';
import { formatDuration } from '@/lib/core/duration';
import type { Backtest } from '@/lib/schemas/backtest';
import { describeBacktest } from './backtest-text';

const LISTED = 5;
const CELL = 'py-0.5 pr-4 text-right tabular-nums';

/** A backtest in one sentence, in numbers, and by the alerts that would go or come. */
export function BacktestResult({ backtest, isChanged }: { backtest: Backtest; isChanged: boolean }) {
  const { current, proposed, avoided, added, checks, isCut, silentRegions, to } = backtest;
  const rows = [
    ['Times down', current.down, proposed.down],
    ['Times degraded', current.degraded, proposed.degraded],
    ['Time down', formatDuration(current.downtime), formatDuration(proposed.downtime)],
  ];
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{describeBacktest(backtest, isChanged)}</p>
      {isChanged && checks > 0 ? (
        <table className="self-start text-sm">
          <thead className="text-xs text-muted">
            <tr>
              <td />
              <th scope="col" className={`${CELL} font-medium`}>
                Now
              </th>
              <th scope="col" className={`${CELL} font-medium`}>
                With these
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([term, was, would]) => (
              <tr key={term}>
                <th scope="row" className="py-0.5 pr-6 text-left font-normal text-muted">
                  {term}
                </th>
                <td className={CELL}>{was}</td>
                <td className={`${CELL} font-medium`}>{would}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <AlertList title="Would not have been" alerts={avoided} now={to} />
      <AlertList title="Would have come" alerts={added} now={to} />
      {checks > 0 ? (
        <p className="text-xs text-muted">
          {checks.toLocaleString('en')} stored checks, replayed
          {isCut ? '; there were more, and the latest count' : ''}. Warnings about certificates and another
          interval are not part of it.
          {silentRegions.length > 0 ? ` Nothing is stored from ${silentRegions.join(', ')} yet.` : ''}
        </p>
      ) : null}
    </div>
  );
}

function AlertList({ title, alerts, now }: { title: string; alerts: Backtest['added']; now: string }) {
  if (alerts.length === 0) return null;
  const more = alerts.length - LISTED;
  return (
    <div className="text-sm">
      <p className="text-xs text-muted">{title}</p>
      <ul>
        {alerts.slice(0, LISTED).map(({ status, startedAt, endedAt, reason }) => (
          <li key={`${status} ${startedAt}`} className="break-words">
            {status === 'down' ? 'Down' : 'Degraded'} <Moment at={startedAt} now={now} />
            {endedAt === null
              ? ', still'
              : ` for ${formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}`}
            {reason === null ? '' : `: ${reason}`}
          </li>
        ))}
        {more > 0 ? (
          <li className="text-muted">and {alerts.length === 20 ? 'more' : `${more} more`}</li>
        ) : null}
      </ul>
    </div>
  );
}
