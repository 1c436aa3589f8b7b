import { useState } from 'react';
import { INPUT } from '@/components/ui/forms/field';
import type { FormState } from '@/components/ui/forms/form-state';
import { IMPACT } from './impact-prefix';
import { SEVERITY_LABELS, SEVERITY_OPTIONS } from './incident-texts';

type Props = {
  /** What is affected. */
  rows: readonly { id: string; name: string }[];
  /** That of the incident. */
  severity: string;
  values: FormState['values'];
  error?: string;
};

/** The severity of single rows, if an incident affects several; folded until one differs. */
export function ImpactFields({ rows, severity, values, error }: Props) {
  const isSet = rows.some(({ id }) => Boolean(values[`${IMPACT}${id}`]));
  const [isOpen, setOpen] = useState(isSet || error !== undefined);
  if (rows.length < 2 && !isSet) return null;
  const own = SEVERITY_LABELS[severity as keyof typeof SEVERITY_LABELS] ?? severity;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-medium">Severity per row</summary>
      <ul className="mt-2 rounded-lg border border-line bg-surface">
        {rows.map(({ id, name }) => (
          <li
            key={id}
            className="grid grid-cols-[minmax(0,1fr)_10rem] items-center gap-3 border-b border-line px-3 py-1.5 last:border-0"
          >
            <label htmlFor={`${IMPACT}${id}`} className="truncate">
              {name}
            </label>
            <select
              id={`${IMPACT}${id}`}
              name={`${IMPACT}${id}`}
              defaultValue={values[`${IMPACT}${id}`] ?? ''}
              className={`${INPUT} h-8`}
            >
              <option value="">{own} (default)</option>
              {SEVERITY_OPTIONS.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {error ? <p className="mt-1 text-sm text-bad">{error}</p> : null}
    </details>
  );
}
