import { CircleCheck, CircleDashed, CircleX, Timer } from 'lucide-react';
import { isOnePlace, nameRegion, type RegionNames } from '@/components/monitors/regions/name-region';
import { IconLabel } from '@/components/ui/icon-label';
import { Moment } from '@/components/ui/time/moment';
import { groupBy } from '@/lib/core/groups';
import type { Vote } from '@/lib/domain/monitors/read-standings';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { formatMs } from '../format-numbers';

const VERDICTS = {
  failing: { label: 'Failing', Icon: CircleX, color: 'text-bad' },
  slow: { label: 'Slow', Icon: Timer, color: 'text-slow' },
  good: { label: 'Good', Icon: CircleCheck, color: 'text-good' },
  none: { label: 'No vote', Icon: CircleDashed, color: 'text-muted' },
} as const;

type Props = { votes: readonly Vote[]; latest: readonly CheckResult[]; names: RegionNames; now: Date };

/** Each place on a line: its verdict, how many checks in a row agree, and its last result. Of regions that are one place, the worst. */
export function VoteTable({ votes, latest, names, now }: Props) {
  const places = [...groupBy(votes, ({ region }) => nameRegion(names, region)).values()];
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {places.flatMap((own) => {
        const [vote] = own.toSorted((a, b) => severityOf(b) - severityOf(a));
        if (vote === undefined) return [];
        const last = latest.find(({ region }) => region === vote.region);
        return (
          <li
            key={vote.region}
            className="grid grid-cols-[7.5rem_6rem_1fr] items-center gap-x-3 gap-y-0.5 px-3 py-1.5 text-sm max-sm:grid-cols-[1fr_auto]"
          >
            <span className="font-mono text-xs wrap-anywhere">
              {nameRegion(names, vote.region)}
              {own.length > 1 ? ` (${own.length} checks)` : ''}
            </span>
            <IconLabel {...VERDICTS[(vote.vote && vote.verdict) || 'none']} />
            <span className="min-w-0 text-muted wrap-anywhere max-sm:col-span-2">
              {formatRun(vote)}
              {last ? <LastResult check={last} now={now} /> : 'No check yet'}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** By how much attention a vote needs. */
function severityOf({ vote, verdict }: Vote): number {
  return [null, 'good', 'slow', 'failing'].indexOf(vote ? verdict : null);
}

function LastResult({ check, now }: { check: CheckResult; now: Date }) {
  const { checkedAt, responseTime, errorMessage, outcome } = check;
  const what = errorMessage ?? (outcome === 'ok' ? `OK in ${formatMs(responseTime)}` : 'Unknown');
  return (
    <>
      <span className={outcome === 'failed' ? 'text-ink' : ''}>{what}</span>
      {', '}
      <Moment at={checkedAt} now={now.toISOString()} />
    </>
  );
}

/** `2 of 3 regions are failing: connection refused`; null if none is failing or slow. */
export function summarizeVotes(votes: readonly Vote[], names: RegionNames): string | null {
  for (const verdict of ['failing', 'slow'] as const) {
    const agreeing = votes.filter((vote) => vote.vote && vote.verdict === verdict);
    if (agreeing.length === 0) continue;
    const [first] = agreeing;
    const isOne = votes.every(({ region }) => isOnePlace(nameRegion(names, region)));
    const who =
      votes.length === 1
        ? `${nameRegion(names, first?.region ?? '')} is`
        : `${agreeing.length} of ${votes.length} ${isOne ? 'checks' : 'regions'} are`;
    return `${who} ${verdict}${first?.error ? `: ${first.error.message}` : ''}`;
  }
  return null;
}

/** `8 failed in a row: `; empty unless checks in a row agree on a problem. */
export function formatRun({ failures, slows }: Pick<Vote, 'failures' | 'slows'>): string {
  if (failures > 0) return `${failures} failed in a row: `;
  return slows > 0 ? `${slows} slow in a row: ` : '';
}
