'use client';

import { Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldNotes, Legend } from '@/components/ui/forms/field';
import { useTimeZone } from '@/components/ui/time/page-clock';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import { coversMonitor, MAX_RULES, type Rule } from '@/lib/schemas/webhooks/rules';
import { RuleFields } from './rule-fields';
import { EMPTY_RULE, type RuleChoices } from './rule-texts';

type Props = {
  name: string;
  label: string;
  /** What is sent without rules. */
  hint: string;
  /** The initial value, as JSON. */
  value: string;
  kinds: readonly EventKind[];
  choices: RuleChoices;
  /** By path, such as `rules.2.tags`. */
  errors: Record<string, string>;
  isMember?: boolean;
};

/** Edits the rules of a listener. One hidden field has the value, which the form submits. */
export function RuleEditor(props: Props) {
  const { name, label, hint, value, kinds, choices, errors, isMember = false } = props;
  const [rows, setRows] = useState(() => readRules(value).map((rule, key) => ({ key, rule })));
  const nextKey = useRef(rows.length);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const ownZone = useTimeZone();
  const rules = rows.map(({ rule }) => rule);
  const replace = (next: typeof rows) => {
    if (field.current) field.current.value = JSON.stringify(next.map(({ rule }) => rule));
    setRows(next);
    field.current?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const timeZone = choices.timeZones.includes(ownZone) ? ownZone : 'UTC';
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-labelledby={`${name}-legend`}>
      <Legend name={name} label={label} help="rules" />
      {/* Not a default value, which React would restore at the next render: hidden fields have no other one. */}
      <input ref={field} type="hidden" name={name} value={JSON.stringify(rules)} readOnly />
      {rows.length === 0 ? null : (
        <ol className="flex flex-col gap-2">
          {rows.map(({ key, rule }, index) => (
            <RuleFields
              key={key}
              id={`${id}-${key}`}
              place={index + 1}
              rule={rule}
              kinds={kinds}
              choices={choices}
              isMember={isMember}
              timeZone={timeZone}
              error={firstError(errors, `${name}.${index}.`)}
              onChange={(changed) =>
                replace(rows.map((row) => (row.key === key ? { key, rule: changed } : row)))
              }
              onRemove={() => replace(rows.filter((row) => row.key !== key))}
            />
          ))}
        </ol>
      )}
      {/* Below the help of the legend, which is larger on a phone. */}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:pt-2">
        <Button
          size="small"
          icon={<Plus />}
          disabled={rows.length >= MAX_RULES}
          onClick={() => replace([...rows, { key: nextKey.current++, rule: EMPTY_RULE }])}
        >
          Add rule
        </Button>
        <p className="text-xs text-muted tabular-nums" aria-live="polite">
          {formatMatches(rules, choices)}
        </p>
      </div>
      <FieldNotes name={name} label={label} hint={hint} error={errors[name]} />
    </fieldset>
  );
}

/** How many monitors some rule can be about. Severity, event and time are not considered. */
function formatMatches(rules: readonly Rule[], { monitors }: RuleChoices): string {
  const isCovered = (monitor: RuleChoices['monitors'][number]) =>
    rules.length === 0 || rules.some((rule) => coversMonitor(rule, monitor));
  const count = monitors.filter(isCovered).length;
  return `Matches ${count} of ${monitors.length} ${monitors.length === 1 ? 'monitor' : 'monitors'}.`;
}

function firstError(errors: Record<string, string>, prefix: string): string | undefined {
  return Object.entries(errors).find(([path]) => path.startsWith(prefix))?.[1];
}

/** The rules in the value of the field, which this editor or the server wrote. */
function readRules(value: string): Rule[] {
  return value === '' ? [] : JSON.parse(value);
}
