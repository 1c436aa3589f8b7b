import type { Me } from '@/lib/schemas/api-key';

const COUNTED = [
  ['monitors', 'Monitors'],
  ['statusPages', 'Status pages'],
  ['webhooks', 'Channels'],
  ['emailRecipients', 'Email recipients'],
  ['members', 'Members'],
] as const;

/** The share of a limit from which its bar is highlighted. */
const WARNING_SHARE = 0.8;

const number = new Intl.NumberFormat('en-US');

/** The usage of each limit of the plan. */
export function UsageBars({ limits, usage }: Pick<Me, 'limits' | 'usage'>) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {COUNTED.map(([what, label]) => (
        <UsageBar key={what} label={label} used={usage[what]} limit={limits[what]} />
      ))}
    </ul>
  );
}

function UsageBar({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bg-bad' : share >= WARNING_SHARE ? 'bg-slow' : 'bg-accent';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3">
      <span className="w-40 font-medium">{label}</span>
      <span className="w-40 text-muted tabular-nums sm:order-last sm:text-right">
        {number.format(used)} {limit === null ? 'used, no limit' : `of ${number.format(limit)}`}
      </span>
      {limit === null ? (
        <span className="hidden flex-1 sm:block" />
      ) : (
        <>
          <meter
            aria-label={`${label} used`}
            min={0}
            max={limit}
            value={Math.min(used, limit)}
            className="sr-only"
          />
          <span aria-hidden="true" className="h-2 flex-1 basis-40 overflow-hidden rounded-full bg-sunken">
            <span className={`block h-full rounded-full ${tone}`} style={{ width: `${share * 100}%` }} />
          </span>
        </>
      )}
    </li>
  );
}
