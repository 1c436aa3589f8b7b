import { cn } from '@/components/ui/cn';
import { CheckField, describedBy, FieldNotes, SelectField, TextArea, TextField } from '@/components/ui/field';
import { CHECK_TYPES, findCheckType, MONITOR_TYPES } from '@/lib/checks/types';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { hasField, showField, TICKED } from './monitor-input';

/** What the monitor form offers; the server reads it, so that the browser need not load the schemas. */
export type FormChoices = {
  fields: readonly FormField[];
  regions: readonly { id: string; location: string; isInPlan: boolean }[];
};

/** What the fields of a form are drawn from. */
export type DrawnForm = {
  choices: FormChoices;
  type: string;
  setType: (type: string) => void;
  values: Record<string, string>;
  errors: Record<string, string>;
};

type Section = FormField['section'];

const COLUMNS: Record<Section, string> = {
  type: 'grid-cols-1',
  target: 'grid-cols-1 sm:grid-cols-2',
  schedule: 'grid-cols-2',
  alerts: 'grid-cols-1 sm:grid-cols-3',
  request: 'grid-cols-1',
  more: 'grid-cols-1 sm:grid-cols-2',
};
const NARROW: readonly FormField['control'][] = ['number', 'choice', 'text', 'list'];
const CODE = {
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  className: '[&_input]:font-mono',
} as const;

/** The fields of a section that a monitor of this type has. */
export function fieldsOf({ choices, type }: DrawnForm, section: Section): FormField[] {
  return choices.fields.filter((field) => field.section === section && hasField(type, field));
}

/** Whether a field of a section is not as it would be without being touched. */
export function isSectionUsed(form: DrawnForm, section: Section): boolean {
  return fieldsOf(form, section).some((field) => shownOf(form, field) !== showField(field, field.default));
}

/** What a control opens with. What a refused form did not have, of a type with other fields, is the default. */
function shownOf({ values }: DrawnForm, field: FormField): string {
  return values[field.name] ?? (TICKED.includes(field.control) ? '' : showField(field, field.default));
}

/** The controls of a section. */
export function SectionFields({ form, section }: { form: DrawnForm; section: Section }) {
  return (
    <div className={cn('grid gap-4', COLUMNS[section])}>
      {fieldsOf(form, section).map((field) => {
        const isWide = !NARROW.includes(field.control) || field.default === undefined;
        return (
          <div key={field.name} className={cn('min-w-0', isWide && 'col-span-full')}>
            <MonitorField form={form} field={field} />
          </div>
        );
      })}
    </div>
  );
}

function MonitorField({ form, field }: { form: DrawnForm; field: FormField }) {
  const { name, control, label, unit, placeholder, options, section } = field;
  const value = shownOf(form, field);
  const hint = value === '' ? field.hint : (field.hintIfSet ?? field.hint);
  const common = { name, label, hint, error: form.errors[name] };
  const typed = { ...common, placeholder, required: field.default === undefined, defaultValue: value };
  switch (control) {
    case 'type':
      return <TypeChoice {...common} type={form.type} onChange={form.setType} />;
    case 'target':
      return <TargetInputs {...typed} within={form} />;
    case 'regions':
      return <RegionChoice {...common} regions={form.choices.regions} chosen={value.split(',')} />;
    case 'switch':
      return <CheckField {...common} defaultChecked={value === 'on'} />;
    case 'choice':
      return <SelectField {...common} options={options} defaultValue={value} />;
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

/** What a check of the type asks, in one input or in several. */
function TargetInputs({ within, ...url }: Parameters<typeof TextField>[0] & { within: DrawnForm }) {
  const { label, placeholder, parts } = findCheckType(within.type)?.form ?? {};
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...url}
        {...CODE}
        label={label ?? url.label}
        placeholder={placeholder}
        className={cn(CODE.className, 'col-span-full')}
      />
      {parts?.inputs.map(({ options, ...part }) => {
        const input = { ...part, defaultValue: within.values[part.name], error: within.errors[part.name] };
        return options ? (
          <SelectField key={part.name} {...input} options={options} />
        ) : (
          <TextField key={part.name} {...input} {...CODE} />
        );
      })}
    </div>
  );
}

/** One of the monitor types, as a row of radio buttons. */
function TypeChoice({
  type,
  onChange,
  ...field
}: ChoiceProps & { type: string; onChange(type: string): void }) {
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={describedBy(field)['aria-describedby']}>
      <legend className="mb-1 text-sm font-medium">{field.label}</legend>
      <div className="grid grid-cols-4 gap-1 rounded-lg border border-line bg-sunken p-1">
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
              onChange={() => onChange(each)}
              className="sr-only"
            />
            {CHECK_TYPES[each].texts.label}
          </label>
        ))}
      </div>
      <FieldNotes {...field} />
    </fieldset>
  );
}

/** Where a monitor is checked from; at least one. */
function RegionChoice({
  regions,
  chosen,
  ...field
}: ChoiceProps & { regions: FormChoices['regions']; chosen: string[] }) {
  const { name, label, error } = field;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {regions.map(({ id, location, isInPlan }, index) => (
          <label
            key={id}
            className="flex items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-sunken has-checked:border-accent has-disabled:cursor-not-allowed has-disabled:bg-sunken"
          >
            <input
              type="checkbox"
              name={name}
              value={id}
              defaultChecked={chosen.includes(id)}
              // One that was chosen under another plan can be given up, but not taken.
              disabled={!isInPlan && !chosen.includes(id)}
              aria-invalid={error && index === 0 ? true : undefined}
              aria-describedby={error ? `${name}-error` : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block font-mono text-xs leading-5">{id}</span>
              <span className="block text-xs text-muted">
                {isInPlan ? location : `${location}. Not in your plan.`}
              </span>
            </span>
          </label>
        ))}
      </div>
      <FieldNotes {...field} />
    </fieldset>
  );
}
