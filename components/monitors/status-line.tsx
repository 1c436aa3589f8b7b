import { LocalTime } from '@/components/ui/local-time';
import { Moment } from '@/components/ui/moment';
import type { Standing } from './standing';
import { StandingBadge } from './standing-badge';

type Props = {
  standing: Standing;
  /** When it began, and why in words; null where that is not known. */
  since: Date | null;
  why: string | null;
  now: Date;
};

/** Where a monitor stands: “Down for 12m, since 14:02. 2 of 3 regions failed 3 checks in a row: connection refused”. */
export function StatusLine({ standing, since, why, now }: Props) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <span aria-live="polite" className="flex">
        <StandingBadge standing={standing} />
      </span>
      {since ? (
        <span className="text-muted tabular-nums">
          for <Moment at={since.toISOString()} now={now.toISOString()} as="duration" />, since{' '}
          <LocalTime at={since.toISOString()} now={now.toISOString()} />
        </span>
      ) : null}
      {why ? <span className="w-full text-muted wrap-anywhere">{why}</span> : null}
    </p>
  );
}
