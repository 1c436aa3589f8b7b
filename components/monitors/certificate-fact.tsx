import { Moment } from '@/components/ui/moment';

const DAY = 86_400_000;
/** Where a monitor has no limit of its own, this is soon: Let's Encrypt's last warning comes then. */
const SOON_DAYS = 7;

type Props = { end: Date | null; warnDays: number | null; now: Date };

/** When a certificate ends, marked when that is soon or past. */
export function CertificateFact({ end, warnDays, now }: Props) {
  if (end === null) return '–';
  const left = end.getTime() - now.getTime();
  const at = end.toISOString();
  if (left <= 0) {
    return (
      <span className="text-bad">
        ended <Moment at={at} now={now.toISOString()} />
      </span>
    );
  }
  return (
    <span className={left < (warnDays ?? SOON_DAYS) * DAY ? 'text-slow' : ''}>
      ends <Moment at={at} now={now.toISOString()} as="until" />
    </span>
  );
}
