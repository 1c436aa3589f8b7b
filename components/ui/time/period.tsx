import { formatElapsed } from '@/lib/core/time/duration';
import { LocalTime, Moment } from './moment';

/** `expires in 4m`, or `expired 4m ago`, highlighted. Both in ISO 8601. */
export function Expiry({ at, now }: { at: string; now: string }) {
  const isOver = at <= now;
  return (
    <span className={isOver ? 'text-bad' : ''}>
      {isOver ? 'expired' : 'expires'} <Moment at={at} now={now} as={isOver ? 'ago' : 'until'} />
    </span>
  );
}

/** When something began, and how long it lasted or has lasted so far: `14:02 · for 4m`. All in ISO 8601. */
export function Period({ from, to, now }: { from: string; to: string | null; now: string }) {
  return (
    <span className="text-xs text-muted tabular-nums">
      <LocalTime at={from} now={now} />
      {' · for '}
      {to === null ? (
        <Moment at={from} now={now} as="duration" />
      ) : (
        formatElapsed(Math.max(0, Date.parse(to) - Date.parse(from)))
      )}
    </span>
  );
}
