import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn';

/** The look of inputs and selects. */
export const INPUT =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink placeholder:text-muted sm:text-sm aria-invalid:border-bad';

/** The attributes of a control, besides what it has in common with all. */
type Control<Tag extends 'input' | 'textarea' | 'select'> = Common & Omit<ComponentProps<Tag>, 'name'>;

type Common = { name: string; label: string; hint?: ReactNode; error?: string; className?: string };

/** The frame of a field: its label, and its hint or error, tied to the control for screen readers. */
function Frame({ name, label, hint, error, className, children }: Common & { children: ReactNode }) {
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={name} className="text-sm font-medium">
        {label}
      </label>
      {children}
      <FieldNotes name={name} label={label} hint={hint} error={error} />
    </div>
  );
}

/** The error of a field or else its hint, under the ID that `describedBy` refers to. */
export function FieldNotes({ name, label, hint, error }: Omit<Common, 'className'>) {
  if (error) {
    return (
      <p id={`${name}-error`} className="text-sm text-bad">
        {formatFieldError(label, error)}
      </p>
    );
  }
  return hint ? (
    <p id={`${name}-hint`} className="text-xs text-muted">
      {hint}
    </p>
  ) : null;
}

/**
 * A predicate as a sentence: "URL must be valid.", "Enter a name.", "Select at least one monitor." An error that is already
 * a sentence is kept.
 */
function formatFieldError(label: string, error: string): string {
  if (/^[A-Z]/.test(error)) return error;
  if (error.startsWith('must include at least one')) return `Select${error.slice('must include'.length)}.`;
  if (error !== 'must not be empty') return `${label} ${error}.`;
  const noun = /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
  const article = noun.endsWith('password') ? 'your' : /^[aeio]/i.test(noun) ? 'an' : 'a';
  return `Enter ${article} ${noun}.`;
}

/** The attributes that tie a control to its hint or error. */
export function describedBy({ name, hint, error }: Pick<Common, 'name' | 'hint' | 'error'>) {
  return {
    id: name,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${name}-error` : hint ? `${name}-hint` : undefined,
  };
}

const CODE = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

type TextFieldProps = Control<'input'> & { unit?: string; isCode?: boolean };

/** A line of text or a number; `unit` is shown after it. Code is monospaced, and browsers do not correct it. */
export function TextField({ name, label, hint, error, className, unit, isCode, ...rest }: TextFieldProps) {
  const input = (
    <input
      {...describedBy({ name, hint, error })}
      {...(isCode && CODE)}
      className={cn(INPUT, 'h-9', unit && 'pr-9', isCode && 'font-mono')}
      {...rest}
    />
  );
  return (
    <Frame name={name} label={label} hint={hint} error={error} className={className}>
      {unit ? (
        <div className="relative">
          {input}
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-muted">
            {unit}
          </span>
        </div>
      ) : (
        input
      )}
    </Frame>
  );
}

/** Several lines of text. */
export function TextArea({ name, label, hint, error, className, ...rest }: Control<'textarea'>) {
  return (
    <Frame name={name} label={label} hint={hint} error={error} className={className}>
      <textarea
        {...describedBy({ name, hint, error })}
        className={cn(INPUT, 'py-1.5 font-mono')}
        rows={3}
        {...rest}
      />
    </Frame>
  );
}

type SelectFieldProps = Control<'select'> & { options: readonly { value: string; label: string }[] };

/** A choice from a short list. */
export function SelectField({ name, label, hint, error, className, options, ...rest }: SelectFieldProps) {
  return (
    <Frame name={name} label={label} hint={hint} error={error} className={className}>
      <select {...describedBy({ name, hint, error })} className={cn(INPUT, 'h-9')} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** A checkbox. */
export function CheckField({ name, label, hint, error, ...rest }: Omit<Control<'input'>, 'className'>) {
  return (
    <div className="flex flex-col gap-0.5">
      <label htmlFor={name} className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          {...describedBy({ name, hint, error })}
          className="size-4 shrink-0 accent-accent"
          {...rest}
        />
        {label}
      </label>
      <FieldNotes name={name} label={label} hint={hint} error={error} />
    </div>
  );
}

type CheckCardsProps = Common & {
  options: readonly { value: string; label?: string; hint: string; isDisabled?: boolean }[];
  chosen: readonly string[];
};

/** A multiple choice; `className` sets the number of columns. */
export function CheckCards({ name, label, hint, error, className, options, chosen }: CheckCardsProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className={cn('grid gap-2', className)}>
        {options.map(({ value, label: text = value, hint: meaning, isDisabled }, index) => (
          <label
            key={value}
            className="flex items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-sunken has-checked:border-accent has-disabled:cursor-not-allowed has-disabled:bg-sunken"
          >
            <input
              type="checkbox"
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              disabled={isDisabled}
              aria-invalid={error && index === 0 ? true : undefined}
              aria-describedby={error ? `${name}-error` : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block font-mono text-xs leading-5 wrap-anywhere">{text}</span>
              <span className="block text-xs text-muted">{meaning}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldNotes name={name} label={label} hint={hint} error={error} />
    </fieldset>
  );
}
