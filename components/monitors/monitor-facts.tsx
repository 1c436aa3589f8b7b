import Link from 'next/link';
import type { ReactNode } from 'react';
import { RegionList } from '@/components/monitors/regions/region-names';
import { Fact, Facts } from '@/components/ui/fold';
import { LocalTime, Moment } from '@/components/ui/time/moment';
import { formatAlertDelay } from '@/lib/checks/alert-delay';
import { CHECK_TYPES, isProbed } from '@/lib/checks/types';
import { formatPercent } from '@/lib/core/formats/percent';
import { capitalize } from '@/lib/core/text';
import { formatTiming } from '@/lib/core/time/duration';
import type { MonitorName, PageName, References } from '@/lib/domain/monitors/dependencies/read-references';
import type { Monitor } from '@/lib/schemas/monitor';
import { UPTIME_WINDOWS, type Uptimes, type UptimeWindow } from '@/lib/schemas/monitor/stats';
import { FlappingBadge } from './flapping-badge';
import { formatMs, formatWindow } from './format-numbers';
import { type Standing, StandingBadge } from './standing-badge';
import { UptimeCells } from './uptime-cells';

const DAY = 86_400_000;

const WINDOW_DAYS: Record<UptimeWindow, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

/** Expires soon, unless the monitor has its own limit. Let's Encrypt sends its last warning then. */
const SOON_DAYS = 7;

type Props = References & {
  monitor: Monitor;
  /** When the target's certificate expires; null if unknown. */
  certificateEnd: Date | null;
  now: Date;
};

type UptimeProps = {
  uptime: Uptimes;
  /** Without corrections; null if there are none. */
  measured: Uptimes | null;
  createdAt: string;
  now: Date;
};

/** A monitor's uptime; where a window is longer than its life, since when that counts. */
export function UptimeFacts({ uptime, measured, createdAt, now }: UptimeProps) {
  const facts = UPTIME_WINDOWS.map((window) => {
    const isCorrected = measured !== null && measured[window] !== uptime[window];
    const isYoung = now.getTime() - Date.parse(createdAt) < WINDOW_DAYS[window] * DAY;
    return {
      window: formatWindow(window),
      uptime: formatPercent(uptime[window]),
      ...(isCorrected && { measured: formatMeasured(measured[window]) }),
      ...(isYoung && uptime[window] !== null && { since: createdAt }),
    };
  });
  return <UptimeCells facts={facts} now={now.toISOString()} />;
}

function formatMeasured(percent: number | null): string {
  return percent === null ? 'no data' : formatPercent(percent);
}

/** A monitor's configuration and last check; those of a job are with its calls. */
export function MonitorFacts(props: Props) {
  const { monitor, certificateEnd, pages, dependsOn, dependents, groups, now } = props;
  const { tags } = monitor;
  const isChecked = isProbed(monitor);
  return (
    <Facts className={isChecked ? 'grid-cols-2 sm:grid-cols-4' : 'grid-cols-2'}>
      {isChecked ? <CheckFacts monitor={monitor} certificateEnd={certificateEnd} now={now} /> : null}
      <Fact term="Tags">{tags.length > 0 ? tags.join(', ') : '–'}</Fact>
      <Fact term="Status pages">{pages.length > 0 ? listPages(pages) : 'None'}</Fact>
      {groups.length > 0 ? <Fact term="Groups">{listMonitors(groups)}</Fact> : null}
      {dependsOn.length > 0 ? <Fact term="Depends on">{listMonitors(dependsOn)}</Fact> : null}
      {dependents.count > 0 ? (
        <Fact term="Dependents">
          {listMonitors(dependents.first)}
          {dependents.count > dependents.first.length
            ? ` and ${dependents.count - dependents.first.length} more`
            : ''}
        </Fact>
      ) : null}
    </Facts>
  );
}

/** What checks a monitor, and found last. */
function CheckFacts({ monitor, certificateEnd, now }: Pick<Props, 'monitor' | 'certificateEnd' | 'now'>) {
  const { lastCheckedAt, lastResponseTime } = monitor;
  return (
    <>
      <Fact term="Last response time">{formatMs(lastResponseTime)}</Fact>
      <Fact term="Last check">
        {lastCheckedAt === null ? 'Never' : <Moment at={lastCheckedAt} now={now.toISOString()} />}
      </Fact>
      <Fact term="Frequency">{`Every ${formatTiming(monitor.interval * 1000)}, timeout ${formatTiming(monitor.timeout * 1000)}`}</Fact>
      <Fact term="Alerts">{capitalize(formatAlertDelay(monitor))}</Fact>
      <Fact term="Regions">
        <RegionList ids={monitor.regions} />
      </Fact>
      <Fact term="Request">{CHECK_TYPES[monitor.type].texts.request(monitor)}</Fact>
      <Fact term="Certificate">
        <CertificateFact end={certificateEnd} warnDays={monitor.tlsExpiryDays} now={now} />
      </Fact>
    </>
  );
}

function listPages(pages: PageName[]): ReactNode[] {
  return pages.map(({ slug, name, published }, index) => (
    <span key={slug}>
      {index === 0 ? '' : ', '}
      <Link
        prefetch={false}
        href={`/status-pages/${slug}`}
        className="touch inline-block underline underline-offset-2 hover:text-accent"
      >
        {name}
      </Link>
      {published ? '' : ' (draft)'}
    </span>
  ));
}

function listMonitors(monitors: MonitorName[]): ReactNode[] {
  return monitors.map(({ id, name }, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      <Link
        prefetch={false}
        href={`/monitors/${id}`}
        className="touch inline-block underline underline-offset-2 hover:text-accent"
      >
        {name}
      </Link>
    </span>
  ));
}

type CertificateFactProps = { end: Date | null; warnDays: number | null; now: Date };

/** When a certificate expires, highlighted if that is soon or past. */
function CertificateFact({ end, warnDays, now }: CertificateFactProps) {
  if (end === null) return '–';
  const left = end.getTime() - now.getTime();
  const isExpired = left <= 0;
  const isSoon = left < (warnDays ?? SOON_DAYS) * DAY;
  return (
    <span className={isExpired ? 'text-bad' : isSoon ? 'text-slow' : ''}>
      {isExpired ? 'Expired ' : 'Expires '}
      <Moment at={end.toISOString()} now={now.toISOString()} as={isExpired ? 'ago' : 'until'} />
    </span>
  );
}

type StatusLineProps = {
  standing: Standing;
  /** When it began and why; null if unknown. */
  since: Date | null;
  why: string | null;
  isFlapping: boolean;
  now: Date;
};

/** “Down for 12m, since 14:02:10. 2 of 3 regions failed 3 checks in a row: connection refused”. */
export function StatusLine({ standing, since, why, isFlapping, now }: StatusLineProps) {
  const isProblem = standing === 'down' || standing === 'degraded';
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <span aria-live="polite" className="flex">
        <StandingBadge standing={standing} />
      </span>
      {since ? (
        <span className="text-muted tabular-nums">
          for <Moment at={since.toISOString()} now={now.toISOString()} as="duration" />, since{' '}
          <LocalTime at={since.toISOString()} now={now.toISOString()} isExact={isProblem} />
        </span>
      ) : null}
      {isFlapping ? <FlappingBadge className="ml-2" /> : null}
      {why ? (
        <span className={`w-full wrap-anywhere ${isProblem ? 'font-medium' : 'text-muted'}`}>{why}</span>
      ) : null}
    </p>
  );
}
