import Link from 'next/link';
import type { ReactNode } from 'react';
import { Fact, Facts } from '@/components/ui/fold';
import { LocalTime } from '@/components/ui/local-time';
import { Moment } from '@/components/ui/moment';
import { CHECK_TYPES } from '@/lib/checks/types';
import type { PageName } from '@/lib/domain/status-pages/read-status-pages';
import type { Monitor } from '@/lib/schemas/monitor';
import { UPTIME_WINDOWS, type Uptimes } from '@/lib/schemas/stats';
import { formatPercent } from './monitor-address';
import { type Standing, StandingBadge } from './standing-badge';

const DAY = 86_400_000;

/** Where a monitor has no limit of its own, this is soon: Let's Encrypt's last warning comes then. */
const SOON_DAYS = 7;

type CertificateFactProps = { end: Date | null; warnDays: number | null; now: Date };

type Props = {
  monitor: Monitor;
  uptime: Uptimes;
  /** When the target's certificate ends; null where none is known. */
  certificateEnd: Date | null;
  pages: PageName[];
  now: Date;
};

const WINDOW_TERMS = {
  '24h': 'Uptime, 24 hours',
  '7d': 'Uptime, 7 days',
  '30d': 'Uptime, 30 days',
  '90d': 'Uptime, 90 days',
} as const;

/** How a monitor has fared and what it does, at a glance. */
export function MonitorFacts({ monitor, uptime, certificateEnd, pages, now }: Props) {
  const { lastCheckedAt, lastResponseTime, tags } = monitor;
  return (
    <Facts className="sm:grid-cols-4">
      {UPTIME_WINDOWS.map((window) => (
        <Fact key={window} term={WINDOW_TERMS[window]}>
          {uptime[window] === null ? '–' : formatPercent(uptime[window])}
        </Fact>
      ))}
      <Fact term="Last response">{lastResponseTime === null ? '–' : `${lastResponseTime} ms`}</Fact>
      <Fact term="Last check">
        {lastCheckedAt === null ? 'never' : <Moment at={lastCheckedAt} now={now.toISOString()} />}
      </Fact>
      <Fact term="Checked">{`every ${monitor.interval}\u00a0s, timeout ${monitor.timeout}\u00a0s`}</Fact>
      <Fact term="From">{monitor.regions.join(', ')}</Fact>
      <Fact term="Asks">{CHECK_TYPES[monitor.type].texts.request(monitor)}</Fact>
      <Fact term="Certificate">
        <CertificateFact end={certificateEnd} warnDays={monitor.tlsExpiryDays} now={now} />
      </Fact>
      <Fact term="Tags">{tags.length > 0 ? tags.join(', ') : '–'}</Fact>
      <Fact term="On status pages">{pages.length > 0 ? listPages(pages) : 'none'}</Fact>
    </Facts>
  );
}

function listPages(pages: PageName[]): ReactNode[] {
  return pages.map(({ slug, name, published }, index) => (
    <span key={slug}>
      {index === 0 ? '' : ', '}
      <Link
        prefetch={false}
        href={`/status-pages/${slug}`}
        className="underline underline-offset-2 hover:text-accent"
      >
        {name}
      </Link>
      {published ? '' : ' (not published)'}
    </span>
  ));
}

/** When a certificate ends, marked when that is soon or past. */
function CertificateFact({ end, warnDays, now }: CertificateFactProps) {
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

type StatusLineProps = {
  standing: Standing;
  /** When it began, and why in words; null where that is not known. */
  since: Date | null;
  why: string | null;
  now: Date;
};

/** Where a monitor stands: “Down for 12m, since 14:02. 2 of 3 regions failed 3 checks in a row: connection refused”. */
export function StatusLine({ standing, since, why, now }: StatusLineProps) {
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
