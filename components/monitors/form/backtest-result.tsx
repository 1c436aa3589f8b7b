import { Moment } from '@/components/ui/time/moment';
import { formatElapsed, formatTiming } from '@/lib/core/time/duration';
import type { Backtest } from '@/lib/schemas/monitor/backtest';
import { nameRegionWithin } from '../regions/name-region';
import { useRegionNames } from '../regions/region-names';

const SECOND = 1000;
const DAY = 86_400_000;
const MAX_LISTED = 5;
const CELL = 'py-0.5 pr-4 text-right tabular-nums';

type Props = { backtest: Backtest; isChanged: boolean; isGroup?: boolean };

/** A backtest as a sentence, as numbers, and as a list of avoided and additional alerts. */
export function BacktestResult({ backtest, isChanged, isGroup = false }: Props) {
  const names = useRegionNames();
  const { current, proposed, avoided, added, checks, isCut, estimatedChecks, silentRegions, to } = backtest;
  const rows = [
    ['Outages', current.down, proposed.down],
    ['Degradations', current.degraded, proposed.degraded],
    ['Downtime', formatElapsed(current.downtime), formatElapsed(proposed.downtime)],
  ];
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{formatBacktest(backtest, isChanged)}</p>
      {isChanged && checks > 0 ? (
        <table className="self-start text-sm">
          <thead className="text-xs text-muted">
            <tr>
              <td />
              <th scope="col" className={`${CELL} font-medium`}>
                Current
              </th>
              <th scope="col" className={`${CELL} font-medium`}>
                New
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
      <AlertList title="Avoided alerts" alerts={avoided} now={to} />
      <AlertList title="Additional alerts" alerts={added} now={to} />
      {checks > 0 ? (
        <p className="text-xs text-muted">
          Based on {isCut ? 'the latest ' : ''}
          {isGroup
            ? 'the status history of the members.'
            : `${checks.toLocaleString('en')} stored checks. Certificate warnings and interval changes are not included.`}
          {estimatedChecks > 0
            ? ` This is an estimate: ${estimatedChecks.toLocaleString('en')} confirmation checks did not run, so each is assumed to match the next stored check of its region. Outages shorter than the interval are not detected.`
            : ''}
          {silentRegions.length > 0
            ? ` No checks from ${[...new Set(silentRegions.map((id) => nameRegionWithin(names, id)))].join(', ')} are stored yet.`
            : ''}
        </p>
      ) : null}
    </div>
  );
}

/**
 * A backtest in one sentence: "In the last 7 days, you would have had 4 alerts instead of 31", or if they come at other times: "you would
 * have known 1m 35s sooner, and had 2 alerts more."
 */
export function formatBacktest(
  { from, to, current, proposed, checks, sooner }: Backtest,
  isChanged: boolean,
): string {
  if (checks === 0) return 'No checks are stored yet, so there is nothing to replay.';
  const [before, after] = [current.down + current.degraded, proposed.down + proposed.degraded];
  const time = `In the last ${formatSpan(Date.parse(to) - Date.parse(from))}`;
  if (!isChanged) return `${time}, these settings caused ${formatAlerts(before)}.`;
  if (sooner !== null && Math.abs(sooner) >= SECOND) {
    const known = `${formatTiming(Math.round(Math.abs(sooner) / SECOND) * SECOND)} ${sooner > 0 ? 'sooner' : 'later'}`;
    return `${time}, you would have known ${known}, and had ${formatDifference(after - before)}.`;
  }
  const comparison = before === after ? 'the same as now' : `instead of ${before}`;
  return `${time}, you would have had ${formatAlerts(after)}${before === after ? ', ' : ' '}${comparison}.`;
}

/** Rounds to full days: `7 days` instead of `6d 23h`. */
function formatSpan(ms: number): string {
  const days = Math.round(ms / DAY);
  return ms > 0.95 * DAY ? (days === 1 ? '24 hours' : `${days} days`) : formatElapsed(ms);
}

function formatAlerts(n: number): string {
  return n === 0 ? 'no alerts' : n === 1 ? '1 alert' : `${n} alerts`;
}

function formatDifference(n: number): string {
  return n === 0 ? 'as many alerts' : `${formatAlerts(Math.abs(n))} ${n > 0 ? 'more' : 'fewer'}`;
}

function AlertList({ title, alerts, now }: { title: string; alerts: Backtest['added']; now: string }) {
  if (alerts.length === 0) return null;
  const more = alerts.length - MAX_LISTED;
  return (
    <div className="text-sm">
      <p className="text-xs text-muted">{title}</p>
      <ul>
        {alerts.slice(0, MAX_LISTED).map(({ status, startedAt, endedAt, reason }) => (
          <li key={`${status} ${startedAt}`} className="break-words">
            {status === 'down' ? 'Down' : 'Degraded'} <Moment at={startedAt} now={now} />
            {endedAt === null
              ? ', ongoing'
              : ` for ${formatElapsed(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}`}
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
