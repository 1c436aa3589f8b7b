import { CircleCheck, CircleHelp, CircleX, X } from 'lucide-react';
import type { FormEvent } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { INPUT } from '@/components/ui/forms/field';
import { isPresence, rulesOf } from '@/lib/checks/assertions/assertion';
import type { JudgedAssertion } from './judged';
import { COMPARISON_LABELS, type EditedAssertion, propertyOf, SOURCE_LABELS } from './rows';

type Props = {
  row: EditedAssertion;
  /** Counted from 1, as messages do. */
  number: number;
  sources: readonly EditedAssertion['source'][];
  /** By part. */
  errors: Record<string, string>;
  /** Null before a test. */
  judged: JudgedAssertion | null;
  onInput: (changes: Partial<EditedAssertion>, event: FormEvent) => void;
  onRemove: () => void;
};

const MARKS = {
  passed: { Icon: CircleCheck, color: 'text-good', label: 'Passes' },
  failed: { Icon: CircleX, color: 'text-bad', label: 'Fails' },
  unknown: { Icon: CircleHelp, color: 'text-muted', label: 'Unknown' },
};

/** One assertion, and what the last response makes of it. Nothing moves while it is edited. */
export function AssertionRow({ row, number, sources, errors, judged, onInput, onRemove }: Props) {
  const { comparisons } = rulesOf({ source: row.source, property: row.property.trim() || null });
  const property = propertyOf(row);
  const hasTarget = !isPresence(row.comparison);
  const note = `assertion-${number}-note`;
  const [error] = Object.entries(errors).map(([part, message]) => `${PART_LABELS[part] ?? part} ${message}.`);
  const common = (part: keyof EditedAssertion, label: string) => ({
    'aria-label': `${label} of assertion ${number}`,
    'aria-describedby': note,
    'aria-invalid': errors[part] ? (true as const) : undefined,
    onInput: (event: FormEvent<HTMLInputElement | HTMLSelectElement>) =>
      onInput({ [part]: event.currentTarget.value }, event),
  });
  return (
    <li className="grid grid-cols-[1fr_1fr_auto] gap-x-2 gap-y-1 sm:grid-cols-[1fr_1fr_1fr_1fr_auto]">
      <select
        {...common('source', 'Source')}
        defaultValue={row.source}
        className={cn(INPUT, 'h-9', property === null && 'col-span-2')}
      >
        {[...new Set([...sources, row.source])].map((source) => (
          <option key={source} value={source}>
            {SOURCE_LABELS[source]}
          </option>
        ))}
      </select>
      {property === null ? null : (
        <input
          {...common('property', property.label)}
          {...CODE}
          defaultValue={row.property}
          placeholder={property.placeholder}
          className={cn(INPUT, 'h-9 font-mono')}
        />
      )}
      <Button
        tone="bare"
        size="icon"
        icon={<X />}
        aria-label={`Remove assertion ${number}`}
        onClick={onRemove}
        className="self-center sm:order-last"
      />
      <select
        {...common('comparison', 'Comparison')}
        key={comparisons.join()}
        defaultValue={row.comparison}
        className={cn(INPUT, 'h-9', !hasTarget && 'col-span-2')}
      >
        {comparisons.map((comparison) => (
          <option key={comparison} value={comparison}>
            {COMPARISON_LABELS[comparison]}
          </option>
        ))}
      </select>
      {hasTarget ? (
        <input
          {...common('target', 'Target')}
          {...CODE}
          defaultValue={row.target}
          placeholder={row.comparison === 'oneOf' ? 'comma-separated' : undefined}
          className={cn(INPUT, 'h-9 font-mono')}
        />
      ) : null}
      <p id={note} className="col-span-full min-h-4 text-xs text-muted wrap-anywhere sm:order-last">
        {error ? <span className="text-bad">{error}</span> : judged ? <Mark judged={judged} /> : null}
      </p>
    </li>
  );
}

const CODE = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

const PART_LABELS: Partial<Record<string, string>> = {
  source: 'Source',
  property: 'Name or path',
  comparison: 'Comparison',
  target: 'Target',
};

function Mark({ judged: { state, text } }: { judged: JudgedAssertion }) {
  const { Icon, color, label } = MARKS[state];
  return (
    <span className={cn('inline-flex items-start gap-1', color)}>
      <Icon className="size-4 shrink-0" aria-label={label} />
      {text}
    </span>
  );
}
