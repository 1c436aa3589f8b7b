import { LoaderCircle } from 'lucide-react';
import { Banner } from '@/components/ui/banner';
import type { RouteResult } from '@/components/ui/call-route';
import { IconLabel } from '@/components/ui/icon-label';
import { formatUntil } from '@/lib/core/time/duration';
import type { DryRun } from '@/lib/schemas/monitor/result';
import { OUTCOME_STYLES } from '../checks/outcomes';
import { PhaseBreakdown } from '../phases/phase-bar';

/** A test from one region; `result` is null while it runs. */
export type TestRun = { region: string; result: RouteResult<DryRun> | null };

export function TestRuns({ runs, isStale }: { runs: TestRun[]; isStale: boolean }) {
  if (runs.length === 0) return <Banner tone="bad">Select at least one region.</Banner>;
  const errors = new Set(runs.flatMap(({ result }) => (result?.ok === false ? [formatRefusal(result)] : [])));
  // Invalid input fails the same way in every region: show it once.
  const [only] = errors;
  if (only !== undefined && errors.size === 1 && runs.every(({ result }) => result?.ok === false)) {
    return <Banner tone="bad">{only}</Banner>;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {runs.map(({ region, result }) => (
          <li key={region} className="px-3 py-2.5">
            {result === null ? (
              <p className="flex items-center gap-1.5 text-muted">
                <LoaderCircle className="size-4 animate-spin" />
                Checking from {region}…
              </p>
            ) : result.ok ? (
              <TestResult result={result.value} />
            ) : (
              <p className="text-bad">
                <span className="font-mono text-xs">{region}</span> {formatRefusal(result)}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">
        {isStale
          ? 'The form has changed since this test.'
          : 'This is only a test: nothing is stored, and no alerts are sent.'}
      </p>
    </div>
  );
}

function formatRefusal({ message, errors }: { message: string; errors: Record<string, string> }): string {
  const fields = Object.entries(errors).map(([name, error]) => `${labelOf(name)} ${error}.`);
  return fields.length > 0 ? fields.join(' ') : message;
}

/** `expectedStatusCode` becomes `Expected status code`. */
function labelOf(name: string): string {
  if (name === 'url') return 'URL';
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** One check of a test: its outcome, timings, and certificate. */
function TestResult({ result }: { result: DryRun }) {
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
