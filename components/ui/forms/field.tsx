import type { ComponentProps, ReactNode } from 'react';
import type { HelpTopic } from '@/lib/schemas/help-topics';
import { cn } from '../cn';
import { HelpButton } from '../help/help-button';
import { formatFieldError } from './form-state';

/** The look of inputs and selects. */
export const INPUT =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink placeholder:text-muted sm:text-sm aria-invalid:border-bad';

/** The attributes of a control, besides what it has in common with all. */
type Control<Tag extends 'input' | 'textarea' | 'select'> = Common & Omit<ComponentProps<Tag>, 'name'>;

type Common = {
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string;
  className?: string;
  /** What a “?” next to the label explains. */
  help?: HelpTopic;
};

/** What is around a control. */
export type FieldFrame = Common;

/** The look of a row of radio buttons, whose inputs are for screen readers only, and of one of them. */
export const SEGMENTS = 'grid gap-1 rounded-lg border border-line bg-sunken p-1';
export const SEGMENT =
  'flex min-h-8 items-center justify-center rounded-md border border-transparent text-center max-sm:min-h-11 text-sm text-muted has-checked:border-line-strong has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent';

/** The frame of a field: its label, and its hint or error, tied to the control for screen readers. */
export function Frame(props: Common & { children: ReactNode }) {
  const { name, label, hint, error, className, help, children } = props;
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <div className="flex items-center">
        <label htmlFor={name} className="text-sm font-medium">
          {label}
        </label>
        {help ? <HelpButton topic={help} /> : null}
      </div>
      {children}
      <FieldNotes name={name} label={label} hint={hint} error={error} />
    </div>
  );
}

/** The name of a group of controls, whose fieldset is labelled by the ID `…-legend`: without what a “?” is called. */
export function Legend({ name, label, help }: Pick<Common, 'name' | 'label' | 'help'>) {
  return (
    <legend className="mb-1 text-sm font-medium">
      <span id={`${name}-legend`}>{label}</span>
      {help ? <HelpButton topic={help} /> : null}
    </legend>
  );
}

/** The error of a field or else its hint, under the ID that `describedBy` refers to. */
export function FieldNotes({ name, label, hint, error }: Omit<Common, 'className' | 'help'>) {
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

type TextFieldProps = Control<'input'> & {
  unit?: string;
  isCode?: boolean;
  /** Whether a text can be right: an error stays until it can. By default any text can that the attributes allow. */
  accepts?: (typed: string) => boolean;
};

/** A line of text or a number; `unit` is shown after it. Code is monospaced, and browsers do not correct it. */
export function TextField(props: TextFieldProps) {
  const { name, label, hint, error, className, help, unit, isCode, accepts, onInput, ...rest } = props;
  // The form reads the validity of its fields; browsers show none of it. A field without a check has no handler: servers can render it, too.
  const judge: typeof onInput = (event) => {
    const { currentTarget } = event;
    currentTarget.setCustomValidity(accepts?.(currentTarget.value) === false ? 'invalid' : '');
    onInput?.(event);
  };
  const input = (
    <input
      {...describedBy({ name, hint, error })}
      {...(isCode && CODE)}
      className={cn(INPUT, 'h-9', unit && 'pr-9', isCode && 'font-mono')}
      onInput={accepts ? judge : onInput}
      {...rest}
    />
  );
  return (
    <Frame name={name} label={label} hint={hint} error={error} className={className} help={help}>
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
export function TextArea({ name, label, hint, error, className, help, ...rest }: Control<'textarea'>) {
  return (
    <Frame name={name} label={label} hint={hint} error={error} className={className} help={help}>
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
export function SelectField({
  name,
  label,
  hint,
  error,
  className,
  help,
  options,
  ...rest
}: SelectFieldProps) {
  return (
    <Frame name={name} label={label} hint={hint} error={error} className={className} help={help}>
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
export function CheckField({
  name,
  label,
  hint,
  error,
  ...rest
}: Omit<Control<'input'>, 'className' | 'help'>) {
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
export function CheckCards(props: CheckCardsProps) {
  const { name, label, hint, error, className, help, options, chosen } = props;
  return (
    <fieldset className="flex flex-col gap-1" aria-labelledby={`${name}-legend`}>
      <Legend name={name} label={label} help={help} />
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
