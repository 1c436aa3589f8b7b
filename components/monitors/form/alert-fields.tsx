import type { ReactNode } from 'react';
import { TextField } from '@/components/ui/field';
import { FormSection } from '@/components/ui/fold';
import { explainAlerts } from './explain-alerts';
import type { FieldsProps } from './form-choices';
import type { Typed } from './monitor-input';

type Props = FieldsProps & {
  typed: Typed;
  /** What the numbers would have made of the last days, where there are any. */
  children?: ReactNode;
};

/** When people are told, with what the numbers come to. */
export function AlertFields({ values, errors, typed, children }: Props) {
  const bind = (name: string) => ({
    name,
    inputMode: 'numeric' as const,
    defaultValue: values[name],
    error: errors[name],
  });
  return (
    <FormSection title="When to alert">
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...bind('alertThreshold')} label="Alert after" unit="×" hint="Failed checks in a row." />
        <TextField
          {...bind('recoveryThreshold')}
          label="Recover after"
          unit="×"
          hint="Good checks in a row."
        />
        <TextField
          {...bind('degradedThreshold')}
          label="Slow above"
          unit="ms"
          hint="Slower answers are degraded."
        />
      </div>
      <ul className="flex flex-col gap-0.5 text-sm text-muted" aria-label="What these numbers come to">
        {explainAlerts(typed).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {children}
    </FormSection>
  );
}
