import { IconLabel } from '@/components/ui/icon-label';
import { formatUntil } from '@/lib/core/time/duration';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { OUTCOME_STYLES } from '../checks/outcomes';
import { PhaseBreakdown } from '../phases/phase-bar';

/** One check of a test: its outcome, timings, and certificate. */
export function TestResult({ result }: { result: DryRun }) {
  const { region, outcome, responseTime, statusCode, errorMessage, phases, bodySize } = result;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 tabular-nums">
        <IconLabel {...OUTCOME_STYLES[outcome]} />
        <span className="font-mono text-xs">{region}</span>
        {statusCode === null ? null : <span>status {statusCode}</span>}
        {responseTime === null ? null : <span>{responseTime} ms</span>}
        {bodySize === null ? null : <span className="text-muted">{formatBytes(bodySize)}</span>}
      </p>
      {errorMessage === null ? null : (
        <p className="break-words">
          {errorMessage.slice(0, 1).toUpperCase()}
          {errorMessage.slice(1)}.
        </p>
      )}
      <PhaseBreakdown phases={phases} />
      <CertificateLine result={result} />
    </div>
  );
}

function CertificateLine({ result }: { result: DryRun }) {
  const { certificateExpiresAt, certificateIssuer, checkedAt } = result;
  if (certificateExpiresAt === null) return null;
  const [until, now] = [new Date(certificateExpiresAt), new Date(checkedAt)];
  return (
    <p className="text-xs break-words text-muted">
      Certificate{certificateIssuer === null ? '' : ` by ${certificateIssuer}`},{' '}
      {until > now ? 'valid until' : 'expired on'}{' '}
      <time dateTime={certificateExpiresAt}>{certificateExpiresAt.slice(0, 10)}</time>
      {until > now ? ` (${formatUntil(until, now)})` : ''}
    </p>
  );
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : '1 MiB or more';
}
