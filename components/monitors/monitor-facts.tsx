import Link from 'next/link';
import type { ReactNode } from 'react';
import { Fact, Facts } from '@/components/ui/facts';
import { Moment } from '@/components/ui/moment';
import { CHECK_TYPES } from '@/lib/checks/types';
import type { PageName } from '@/lib/domain/status-pages/list-pages-of-monitor';
import type { Monitor } from '@/lib/schemas/monitor';
import { UPTIME_WINDOWS, type Uptimes } from '@/lib/schemas/stats';
import { CertificateFact } from './certificate-fact';
import { formatPercent } from './percent';

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
