import { LoaderCircle } from 'lucide-react';
import { nameRegion } from '@/components/monitors/regions/name-region';
import { RegionName, useRegionNames } from '@/components/monitors/regions/region-names';
import { formatFieldError } from '@/components/ui/forms/form-state';
import { IconLabel } from '@/components/ui/icon-label';
import { formatUntil } from '@/lib/core/time/duration';
import { formatMs } from '../format-numbers';
import { PhaseBreakdown } from '../phases/phase-bar';
import { OUTCOME_STYLES } from './outcomes';
import type { Run, RunResult } from './runs';

/** Checks from several regions: each shows its result as soon as it has arrived. */
export function RunList({ runs, labels }: { runs: readonly Run[]; labels?: Labels }) {
  const names = useRegionNames();
  const places = runs.map(({ region }) => nameRegion(names, region));
  /** `us-east`; of regions that are one place, `This machine (1 of 3)`. */
  const nameOf = (index: number) => {
    const all = places.filter((place) => place === places[index]).length;
    const number = places.slice(0, index + 1).filter((place) => place === places[index]).length;
    return all > 1 ? `${places[index]} (${number} of ${all})` : String(places[index]);
  };
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {runs.map(({ region, result }, index) => (
        <li key={region} className="px-3 py-2.5">
          {result === null ? (
            <p className="flex items-center gap-1.5 text-muted">
              <LoaderCircle className="size-4 animate-spin" />
              Checking from <RegionName id={region} isSentence />…
            </p>
          ) : result.ok ? (
            <RunDetail place={nameOf(index)} result={result.value} />
          ) : (
            <p className="text-bad">
              <span className="font-mono text-xs">{nameOf(index)}</span> {formatRefusal(result, labels)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why a check was rejected: the invalid fields, or the message. */
export function formatRefusal({ message, errors }: Refusal, labels: Labels = {}): string {
  const fields = Object.entries(errors).map(([name, error]) =>
    formatFieldError(labels[name] ?? labelOf(name), error),
  );
  return fields.length > 0 ? fields.join(' ') : message;
}

type Refusal = { message: string; errors: Record<string, string> };

/** What fields are called in the form, by name. */
export type Labels = Readonly<Record<string, string>>;

/** `expectedStatusCode` becomes `Expected status code`. */
function labelOf(name: string): string {
  if (name === 'url') return 'URL';
  const [, index] = /^assertions\.(\d+)\./.exec(name) ?? [];
  if (index !== undefined) return `Assertion ${Number(index) + 1}`;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** One check: its outcome, timings, and certificate. */
function RunDetail({ place, result }: { place: string; result: RunResult }) {
  const { outcome, responseTime, statusCode, errorMessage, phases, bodySize = null } = result;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 tabular-nums">
        <IconLabel {...OUTCOME_STYLES[outcome]} />
        <span className="font-mono text-xs">{place}</span>
        {statusCode === null ? null : <span>status {statusCode}</span>}
        {responseTime === null ? null : <span>{formatMs(responseTime)}</span>}
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

function CertificateLine({ result }: { result: RunResult }) {
  const { certificateExpiresAt = null, certificateIssuer = null, checkedAt } = result;
  const name = result.certificateName ?? 'certificate';
  if (certificateExpiresAt === null) return null;
  const [until, now] = [new Date(certificateExpiresAt), new Date(checkedAt)];
  return (
    <p className="text-xs break-words text-muted">
      {name.slice(0, 1).toUpperCase()}
      {name.slice(1)}
      {certificateIssuer === null ? '' : ` by ${certificateIssuer}`},{' '}
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
