import type { ChangeEvent } from 'react';
import { readHex } from '@/components/status-page/theme/color';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { CheckField, describedBy, FieldNotes, TextArea, TextField } from '@/components/ui/forms/field';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import { MonitorOrder } from './monitor-order';
import type { MonitorName, PageValues } from './page-values';
import { findUnreadableColors, MIN_CONTRAST } from './page-values';
import { SectionOrder } from './section-order';
import { monitorsInOrder, newSection, rowOf } from './section-values';

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
  monitors: readonly MonitorName[];
  /** The current slug; null for a new page. */
  savedSlug: string | null;
  baseUrl: string;
  change: (changes: Partial<PageValues>) => void;
};

/** All fields of a page. */
export function PageFields({ values, errors, monitors, savedSlug, baseUrl, change }: Props) {
  const bindText = (name: 'name' | 'slug' | 'description' | 'logoUrl') => ({
    name,
    value: values[name],
    onChange: ({ target }: ChangeEvent<{ value: string }>) => change({ [name]: target.value }),
    error: errors[name],
  });
  const bindCheck = (name: 'showResponseTimes' | 'published') => ({
    name,
    checked: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.checked }),
    error: errors[name],
  });
  const isMoved = savedSlug !== null && values.slug !== savedSlug;
  return (
    <>
      <TextField {...bindText('name')} label="Name" required placeholder="Acme status" />
      <TextField
        {...bindText('slug')}
        label="Slug"
        required
        isCode
        autoComplete="off"
        hint={
          isMoved ? (
            <span className="text-slow">
              Links to /status/{savedSlug} will stop working, including feeds, badges, and embeds.
            </span>
          ) : (
            <span className="break-all">
              {baseUrl}/status/{values.slug || '…'}
            </span>
          )
        }
      />
      <TextArea
        {...bindText('description')}
        label="Description"
        rows={2}
        hint="Optional. A sentence below the name."
        className="[&_textarea]:font-sans"
      />
      {values.sections.length === 0 ? (
        <>
          <MonitorOrder
            monitors={monitors}
            chosen={values.monitors}
            change={(chosen) => change({ monitors: chosen })}
            error={errors.monitors}
          />
          <div>
            <Button onClick={() => change({ sections: [newSection([], values.monitors.map(rowOf))] })}>
              Group in sections
            </Button>
          </div>
        </>
      ) : (
        <SectionOrder
          monitors={monitors}
          sections={values.sections}
          errors={errors}
          change={(sections) =>
            change({
              sections,
              monitors: monitorsInOrder(sections.length === 0 ? values.sections : sections),
            })
          }
        />
      )}
      <CheckField
        {...bindCheck('showResponseTimes')}
        label="Show response times"
        hint="A 24-hour chart for each monitor."
      />
      <ThemeFields values={values} errors={errors} change={change} />
      <TextField
        {...bindText('logoUrl')}
        label="Logo"
        type="url"
        inputMode="url"
        isCode
        placeholder="https://example.com/logo.svg"
        hint="Optional. HTTPS URL of an image, shown 32 pixels high."
      />
      <CheckField
        {...bindCheck('published')}
        label="Published"
        hint="Anyone with the link can see the page. When off, visitors get a “not found” page."
      />
    </>
  );
}

/** The colors of a page, with warnings for unreadable ones. */
function ThemeFields({ values, errors, change }: Pick<Props, 'values' | 'errors' | 'change'>) {
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
