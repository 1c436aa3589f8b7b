import { readHex } from '@/components/status-page/theme/color';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { describedBy, FieldNotes, SelectField } from '@/components/ui/forms/field';
import { APPEARANCES } from '@/lib/schemas/status-pages/appearance';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import type { PageValues } from '../page-values';
import { APPEARANCE_LABELS, findUnreadableColors, formatAppearance, MIN_CONTRAST } from '../page-values';

const COLORS = [
  { name: 'primaryColor', label: 'Accent' },
  { name: 'backgroundColor', label: 'Background' },
  { name: 'textColor', label: 'Text' },
] as const;

/** Preset themes, all readable. */
const THEMES = [
  { name: 'Dark', theme: THEME_DEFAULTS },
  { name: 'Light', theme: { primaryColor: '#15803d', backgroundColor: '#ffffff', textColor: '#18181b' } },
  { name: 'Paper', theme: { primaryColor: '#9a3412', backgroundColor: '#faf7f2', textColor: '#292524' } },
  { name: 'Midnight', theme: { primaryColor: '#7dd3fc', backgroundColor: '#0b1220', textColor: '#e2e8f0' } },
] as const;

type Props = {
  values: PageValues;
  errors: Record<string, string>;
  change: (changes: Partial<PageValues>) => void;
};

/** The colors of a page, with warnings for unreadable ones. */
export function ThemeFields({ values, errors, change }: Props) {
  const unreadable = findUnreadableColors(values);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Colors</legend>
      <div className="flex flex-wrap gap-1.5">
        {THEMES.map(({ name, theme }) => (
          <Button key={name} onClick={() => change(theme)} aria-pressed={isTheme(values, theme)}>
            <span
              aria-hidden="true"
              className="flex size-4 items-center justify-center rounded-full border border-line-strong"
              style={{ background: theme.backgroundColor }}
            >
              <span className="size-2 rounded-full" style={{ background: theme.primaryColor }} />
            </span>
            {name}
          </Button>
        ))}
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        {COLORS.map(({ name, label }) => (
          <ColorField
            key={name}
            name={name}
            label={label}
            value={values[name]}
            fallback={THEME_DEFAULTS[name]}
            error={errors[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </div>
      <SelectField
        name="appearance"
        label="Light or dark"
        value={values.appearance}
        onChange={({ target }) =>
          change({
            appearance: APPEARANCES.find((appearance) => appearance === target.value) ?? values.appearance,
          })
        }
        options={APPEARANCES.map((value) => ({ value, label: APPEARANCE_LABELS[value] }))}
        hint={formatAppearance(values)}
        error={errors.appearance}
      />
      <div role="status" className="flex flex-col gap-2 empty:sr-only">
        {unreadable.map(({ field, label, chosen, contrast, shown }) => (
          <Banner key={field} tone="slow">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <p className="min-w-0 flex-1 basis-64">
                {label} {chosen} is hard to read on this background: its contrast is {contrast}:1, and{' '}
                {MIN_CONTRAST}:1 is required. Visitors see {shown} instead.
              </p>
              <Button onClick={() => change({ [field]: shown })}>Use {shown}</Button>
            </div>
          </Banner>
        ))}
      </div>
    </fieldset>
  );
}

function isTheme(values: PageValues, theme: (typeof THEMES)[number]['theme']): boolean {
  return COLORS.every(({ name }) => values[name].toLowerCase() === theme[name]);
}

type ColorFieldProps = {
  name: string;
  label: string;
  value: string;
  /** Shown by the picker while the text is not a valid color. */
  fallback: string;
  error?: string;
  onChange: (value: string) => void;
};

/** A color as hex text and with the system's picker. */
function ColorField({ name, label, value, fallback, error, onChange }: ColorFieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={name} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex items-stretch rounded-md border border-line-strong bg-surface has-aria-invalid:border-bad">
        <input
          type="color"
          aria-label={`Pick ${label.toLowerCase()} color`}
          value={readHex(value) ?? fallback}
          onChange={(event) => onChange(event.target.value)}
          className="m-1 h-7 w-8 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
        />
        <input
          {...describedBy({ name, error })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          className="h-9 w-full min-w-0 rounded-r-md bg-transparent pr-2 font-mono text-base sm:text-sm"
        />
      </div>
      <FieldNotes name={name} label={label} error={error} />
    </div>
  );
}
