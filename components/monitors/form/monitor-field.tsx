import { cn } from '@/components/ui/cn';
import {
  CheckField,
  describedBy,
  FieldNotes,
  SelectField,
  TextArea,
  TextField,
} from '@/components/ui/forms/field';
import { splitIds } from '@/components/ui/forms/form-state';
import { CHECK_TYPES, findCheckType, MONITOR_TYPES } from '@/lib/checks/types';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { MonitorPicker } from '../monitor-picker';
import { AssertionEditor } from './assertions/assertion-editor';
import type { Tested } from './assertions/judged';
import { formatInapplicable, keyOf, ownDefault } from './kept-input';
import { CHECKBOXES, hasField, showField, type Typed } from './monitor-input';
import { type OfferedRegion, RegionChoice } from './region-choice';

/** Fields and regions of the form, read on the server, to keep the schemas out of the browser. */
export type FormChoices = {
  fields: readonly FormField[];
  regions: readonly OfferedRegion[];
  /** The other monitors, by name, and on how many of them one can depend. */
  monitors: readonly { id: string; name: string }[];
  maxDependencies: number;
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
  more: 'grid-cols-1 sm:grid-cols-2',
};
const NARROW: readonly FormField['control'][] = ['number', 'choice', 'text', 'list', 'cron'];

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
  return (
    <div className={cn('grid gap-4', COLUMNS[section])}>
      {fieldsOf(form, section).map((field) => {
        const isWide = !NARROW.includes(field.control) || field.default === undefined;
        return (
          <div key={keyOf(form.type, field)} className={cn('min-w-0', isWide && 'col-span-full')}>
            <MonitorField form={form} field={field} />
          </div>
        );
      })}
    </div>
  );
}

function MonitorField({ form, field }: { form: FormContext; field: FormField }) {
  const { name, control, label, unit, placeholder, options, section } = field;
  const value = initialValue(form, field);
  const hint = value === '' ? field.hint : (field.hintIfSet ?? field.hint);
  const common = { name, label, hint, error: form.errors[name] };
  const typed = { ...common, placeholder, required: field.default === undefined, defaultValue: value };
  switch (control) {
    case 'type':
      return <TypeChoice {...common} form={form} />;
    case 'target':
      return <TargetInputs {...typed} context={form} />;
    case 'regions':
      return <RegionChoice {...common} regions={form.choices.regions} chosen={value.split(',')} />;
    case 'monitors': {
      const { monitors, maxDependencies: max } = form.choices;
      return <MonitorPicker {...common} monitors={monitors} chosen={splitIds(value)} max={max} />;
    }
    case 'switch':
      return <CheckField {...common} defaultChecked={value === 'on'} />;
    case 'choice':
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
    case 'cron':
      return <TextField {...typed} isCode />;
    case 'lines':
    case 'headers':
      return (
        <TextArea {...typed} spellCheck={false} autoComplete={control === 'headers' ? 'off' : undefined} />
      );
    case 'number': {
      const className = section === 'request' ? 'sm:max-w-56' : undefined;
      return <TextField {...typed} unit={unit} inputMode="numeric" className={className} />;
    }
    default:
      return <TextField {...typed} unit={unit} />;
  }
}

type ChoiceProps = { name: string; label: string; hint?: string; error?: string };

/** The target of a check, in one input or several. */
function TargetInputs({ context, ...url }: Parameters<typeof TextField>[0] & { context: FormContext }) {
  const { label, placeholder, parts } = findCheckType(context.type)?.form ?? {};
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...url}
        isCode
        label={label ?? url.label}
        placeholder={placeholder}
        className="col-span-full"
      />
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
      <div className="grid grid-cols-5 gap-1 rounded-lg border border-line bg-sunken p-1">
        {MONITOR_TYPES.map((each) => (
          <label
            key={each}
            className="flex h-8 items-center justify-center rounded-md border border-transparent text-sm text-muted has-checked:border-line-strong has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
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
