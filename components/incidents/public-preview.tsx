import type { Incident } from '@/lib/schemas/incident';
import { SEVERITY_WORDS, STATUS_WORDS } from './incident-texts';

type Props = {
  title: string;
  message: string;
  status: Incident['status'];
  severity: Incident['severity'];
  /** Those that a published page shows: a page leaves out monitors that are not on it. */
  names: readonly string[];
};

/** The words that visitors of a status page will read; the page has colours and a language of its own. */
export function PublicPreview({ title, message, status, severity, names }: Props) {
  return (
    <div className="flex flex-col gap-1.5 rounded-lg border border-l-4 border-line border-l-line-strong bg-surface px-4 py-3">
      <p className="font-semibold wrap-anywhere">{title || 'Untitled'}</p>
      <p className="text-xs text-muted wrap-anywhere">
        {SEVERITY_WORDS[severity]} · {STATUS_WORDS[status]}
        {names.length > 0 ? ` · Affects ${names.join(', ')}` : ''}
      </p>
      <p className="whitespace-pre-line wrap-anywhere">
        <strong className="font-semibold">{STATUS_WORDS[status]}</strong>{' '}
        <span className="text-muted">now</span>
        <br />
        {message || title}
      </p>
    </div>
  );
}
