import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { DurationField } from '@/components/ui/forms/duration-field';
import {
  CheckField,
  describedBy,
  FieldNotes,
  SEGMENT,
  SEGMENTS,
  SelectField,
  TextArea,
  TextField,
} from '@/components/ui/forms/field';
import { splitIds } from '@/components/ui/forms/form-state';
import { CHECK_TYPES, findCheckType, MONITOR_TYPES } from '@/lib/checks/types';
import type { HelpTopic } from '@/lib/schemas/help-topics';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { CronField } from '../heartbeat/cron-field';
import { MonitorPicker } from '../monitor-picker';
import { AlternativeFields } from './alternative-fields';
import { AssertionEditor } from './assertions/assertion-editor';
import type { Tested } from './assertions/judged';
import { AuthenticationEditor } from './authentication-editor';
import { formatInapplicable, keyOf, ownDefault } from './kept-input';
import { CHECKBOXES, hasField, isNumberFor, showField, type Typed } from './monitor-input';
import { type OfferedRegion, RegionChoice } from './region-choice';

/** Fields and regions of the form, read on the server, to keep the schemas out of the browser. */
export type FormChoices = {
  fields: readonly FormField[];
  regions: readonly OfferedRegion[];
  /** The other monitors, by name. */
  monitors: readonly { id: string; name: string }[];
};

export type FormContext = {
  choices: FormChoices;
  type: string;
  setType: (type: string) => void;
  values: Record<string, string>;
  /** What was typed before another type was selected, from `keepInput`. */
  kept: Typed;
  errors: Record<string, string>;
  /** The last test; null before the first. */
  tested: Tested | null;
};

type Section = FormField['section'];

const COLUMNS: Record<Section, string> = {
  type: 'grid-cols-1',
  target: 'grid-cols-1 sm:grid-cols-2',
  schedule: 'grid-cols-2',
  alerts: 'grid-cols-1 sm:grid-cols-3',
  dependencies: 'grid-cols-1',
  assertions: 'grid-cols-1',
  request: 'grid-cols-1',
  certificate: 'grid-cols-1',
  connection: 'grid-cols-1 sm:grid-cols-2',
  more: 'grid-cols-1 sm:grid-cols-2',
};
const NARROW: readonly FormField['control'][] = ['number', 'choice', 'numbers', 'text', 'list', 'cron'];

/** The fields of a section that apply to the type of the monitor. */
export function fieldsOf({ choices, type }: FormContext, section: Section): FormField[] {
  return choices.fields.filter((field) => field.section === section && hasField(type, field));
}

/** Whether any field of a section differs from its default. */
export function isSectionUsed(form: FormContext, section: Section): boolean {
  return fieldsOf(form, section).some(
    (field) => initialValue(form, field) !== showField(field, field.default),
  );
}

/**
 * The initial value of a control. Fields that a rejected form of another type lacked get their default, and so do those whose default
 * depends on the type, once another one is selected.
 */
function initialValue({ values, kept, type }: FormContext, field: FormField): string {
  const before = kept[keyOf(type, field)];
  if (before !== undefined) return before;
  const own = ownDefault(values.type, field) ?? ownDefault(type, field);
  if (values.type !== type && own !== undefined)
    return ownDefault(type, field) ?? showField(field, field.default);
  return values[field.name] ?? (CHECKBOXES.includes(field.control) ? '' : showField(field, field.default));
}

export function SectionFields({ form, section }: { form: FormContext; section: Section }) {
  const fields = fieldsOf(form, section);
  const others = fields.map(({ alternative }) => alternative?.name);
  return (
    <div className={cn('grid gap-4', COLUMNS[section])}>
      {fields.map((field) => {
        // It is shown with the field whose alternative it is.
        if (others.includes(field.name)) return null;
        const isWide = !NARROW.includes(field.control) || field.default === undefined;
        return (
          <div key={keyOf(form.type, field)} className={cn('min-w-0', isWide && 'col-span-full')}>
            {field.alternative ? (
              <Alternatives
                form={form}
                field={field}
                other={fields.find(({ name }) => name === field.alternative?.name)}
              />
            ) : (
              <MonitorField form={form} field={field} />
            )}
          </div>
        );
      })}
    </div>
  );
}

type AlternativesProps = { form: FormContext; field: FormField; other: FormField | undefined };

function Alternatives({ form, field, other }: AlternativesProps) {
  const { label = '', labels = [] } = field.alternative ?? {};
  const both = other === undefined ? [field] : [field, other];
  const initial = both.find((each) => form.errors[each.name] || initialValue(form, each) !== '') ?? field;
  return (
    <AlternativeFields
      label={label}
      initial={initial.name}
      alternatives={both.map((each, place) => ({
        name: each.name,
        label: labels[place] ?? each.label,
        field: <MonitorField form={form} field={each} />,
      }))}
    />
  );
}

function MonitorField({ form, field }: { form: FormContext; field: FormField }) {
  const { name, control, label, unit, placeholder, options, section } = field;
  const value = initialValue(form, field);
  const hint = value === '' ? field.hint : (field.hintIfSet ?? field.hint);
  const common = { name, label, hint, help: field.help, error: form.errors[name] };
  const typed = { ...common, placeholder, required: field.default === undefined, defaultValue: value };
  switch (control) {
    case 'type':
      return <TypeChoice {...common} form={form} />;
    case 'target':
      return <TargetInputs {...typed} context={form} />;
    case 'regions':
      return <RegionChoice {...common} regions={form.choices.regions} chosen={value.split(',')} />;
    case 'monitors': {
      const { monitors } = form.choices;
      return <MonitorPicker {...common} monitors={monitors} chosen={splitIds(value)} max={field.most} />;
    }
    case 'switch':
      return <CheckField {...common} defaultChecked={value === 'on'} />;
    case 'choice':
    case 'numbers':
      return <SelectField {...common} options={options} defaultValue={value} />;
    case 'assertions':
      return (
        <AssertionEditor
          {...common}
          value={value}
          type={form.type}
          errors={form.errors}
          tested={form.tested}
        />
      );
    case 'authentication':
      return <AuthenticationEditor {...common} value={value} errors={form.errors} />;
    case 'cron':
      return <CronField {...common} defaultValue={value} placeholder={placeholder} />;
    case 'duration':
      return <DurationField {...common} defaultValue={value} />;
    case 'lines':
    case 'secret':
    case 'headers':
      return (
        <TextArea {...typed} spellCheck={false} autoComplete={control === 'lines' ? undefined : 'off'} />
      );
    case 'number': {
      const className = section === 'request' ? 'sm:max-w-56' : undefined;
      return (
        <TextField
          {...typed}
          unit={unit}
          inputMode="numeric"
          className={className}
          accepts={(text) => isNumberFor(field, text)}
        />
      );
    }
    default:
      return <TextField {...typed} unit={unit} />;
  }
}

type ChoiceProps = { name: string; label: string; hint?: string; help?: HelpTopic; error?: string };

/** The target of a check, in one input or several. What people leave out of it is added once it is typed. */
function TargetInputs({ context, ...url }: Parameters<typeof TextField>[0] & { context: FormContext }) {
  const { target, form } = findCheckType(context.type) ?? {};
  const { label, placeholder, parts, complete } = form ?? {};
  const [added, setAdded] = useState<string | null>(null);
  const completeInput = (input: HTMLInputElement) => {
    const completed = complete?.(input.value.trim());
    if (!completed) return;
    input.value = completed.target;
    setAdded(completed.added);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="col-span-full flex flex-col gap-1">
        <TextField
          {...url}
          isCode
          label={label ?? url.label}
          placeholder={placeholder}
          inputMode={complete ? 'url' : undefined}
          accepts={(typed) => {
            const text = typed.trim();
            return parts !== undefined || target?.parse(complete?.(text)?.target ?? text) !== null;
          }}
          onInput={({ nativeEvent }) => nativeEvent.isTrusted && setAdded(null)}
          onBlur={({ currentTarget }) => completeInput(currentTarget)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && completeInput(currentTarget)}
        />
        <p role="status" className="text-xs text-muted empty:hidden">
          {complete && added !== null ? `${added} was added.` : null}
        </p>
      </div>
      {parts?.inputs.map(({ options, ...part }) => {
        const { [part.name]: defaultValue = context.values[part.name] } = context.kept;
        const input = { ...part, defaultValue, error: context.errors[part.name] };
        return options ? (
          <SelectField key={part.name} {...input} options={options} />
        ) : (
          <TextField key={part.name} {...input} isCode />
        );
      })}
    </div>
  );
}

/** The monitor types as a row of radio buttons, with what does not apply to the selected one. */
function TypeChoice({ form, ...field }: ChoiceProps & { form: FormContext }) {
  const { type, setType, choices } = form;
  const inapplicable = formatInapplicable(choices.fields, type, (each) => initialValue(form, each));
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={describedBy(field)['aria-describedby']}>
      <legend className="mb-1 text-sm font-medium">{field.label}</legend>
      <div className={cn(SEGMENTS, 'grid-cols-3 sm:grid-cols-6')}>
        {MONITOR_TYPES.map((each) => (
          <label key={each} className={SEGMENT}>
            <input
              type="radio"
              name={field.name}
              value={each}
              checked={each === type}
              onChange={() => setType(each)}
              className="sr-only"
            />
            {CHECK_TYPES[each].texts.label}
          </label>
        ))}
      </div>
      <FieldNotes {...field} />
      <p role="status" className="text-sm text-muted empty:hidden">
        {inapplicable}
      </p>
    </fieldset>
  );
}
