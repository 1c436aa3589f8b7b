import { readHex } from '@/components/status-page/theme/color';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { CheckField, describedBy, FieldNotes, TextArea, TextField } from '@/components/ui/field';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';
import { MonitorOrder } from './monitor-order';
import type { MonitorName, PageValues } from './page-values';
import { judgeTheme, NEEDED_CONTRAST, type UnreadableColour } from './page-values';

const COLOURS = [
  { name: 'primaryColor', label: 'Accent' },
  { name: 'backgroundColor', label: 'Background' },
  { name: 'textColor', label: 'Text' },
] as const;

const NAMES: Record<UnreadableColour['field'], string> = { textColor: 'Text', primaryColor: 'Accent' };

/** Whole looks to begin with; each can be read. */
const LOOKS = [
  { name: 'Dark', theme: THEME_DEFAULTS },
  { name: 'Light', theme: { primaryColor: '#15803d', backgroundColor: '#ffffff', textColor: '#18181b' } },
  { name: 'Paper', theme: { primaryColor: '#9a3412', backgroundColor: '#faf7f2', textColor: '#292524' } },
  { name: 'Midnight', theme: { primaryColor: '#7dd3fc', backgroundColor: '#0b1220', textColor: '#e2e8f0' } },
] as const;

type ThemeFieldsProps = {
  values: PageValues;
  errors: Record<string, string>;
  change: (changes: Partial<PageValues>) => void;
};

type ColourFieldProps = {
  name: string;
  label: string;
  value: string;
  /** Shown by the picker while the text is no colour. */
  fallback: string;
  error?: string;
  onChange: (value: string) => void;
};

type Props = {
  values: PageValues;
  errors: Record<string, string>;
  monitors: readonly MonitorName[];
  /** The slug that the page has; null: it is new. */
  savedSlug: string | null;
  baseUrl: string;
  change: (changes: Partial<PageValues>) => void;
};

/** All that a page shows, and where. */
export function PageFields({ values, errors, monitors, savedSlug, baseUrl, change }: Props) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        required
        placeholder="Acme status"
        value={values.name}
        onChange={(event) => change({ name: event.target.value })}
        error={errors.name}
      />
      <SlugField
        value={values.slug}
        saved={savedSlug}
        baseUrl={baseUrl}
        onChange={(slug) => change({ slug })}
        error={errors.slug}
      />
      <TextArea
        name="description"
        label="Description"
        rows={2}
        hint="A sentence under the name. May be empty."
        className="[&_textarea]:font-sans"
        value={values.description}
        onChange={(event) => change({ description: event.target.value })}
        error={errors.description}
      />
      <MonitorOrder
        monitors={monitors}
        chosen={values.monitors}
        change={(chosen) => change({ monitors: chosen })}
        error={errors.monitors}
      />
      <CheckField
        name="showResponseTimes"
        label="Show response times"
        hint="A chart of the last 24 hours for each monitor."
        checked={values.showResponseTimes}
        onChange={(event) => change({ showResponseTimes: event.target.checked })}
        error={errors.showResponseTimes}
      />
      <ThemeFields values={values} errors={errors} change={change} />
      <TextField
        name="logoUrl"
        label="Logo"
        type="url"
        inputMode="url"
        placeholder="https://example.com/logo.svg"
        spellCheck={false}
        className="[&_input]:font-mono"
        hint="The https address of an image, shown 32 pixels high. May be empty."
        value={values.logoUrl}
        onChange={(event) => change({ logoUrl: event.target.value })}
        error={errors.logoUrl}
      />
      <CheckField
        name="published"
        label="Published"
        hint="Everybody who has the address can see the page. Otherwise it answers as if it were not there."
        checked={values.published}
        onChange={(event) => change({ published: event.target.checked })}
        error={errors.published}
      />
    </>
  );
}

type SlugFieldProps = {
  value: string;
  /** What it is now; null: the page is new. */
  saved: string | null;
  /** The address of the service, without a slash at the end. */
  baseUrl: string;
  error?: string;
  onChange: (slug: string) => void;
};

/** The end of the page's address, with what a change of it breaks. */
function SlugField({ value, saved, baseUrl, error, onChange }: SlugFieldProps) {
  const isMoved = saved !== null && value !== saved;
  return (
    <TextField
      name="slug"
      label="Slug"
      required
      autoCapitalize="none"
      autoCorrect="off"
      autoComplete="off"
      spellCheck={false}
      className="[&_input]:font-mono"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={
        isMoved ? (
          <span className="text-slow">
            Links to /status/{saved} stop working, its feeds, badges and embeds too.
          </span>
        ) : (
          <span className="break-all">
            {baseUrl}/status/{value || '…'}
          </span>
        )
      }
    />
  );
}

/** The colours of a page, with a word on those that nobody could read. */
function ThemeFields({ values, errors, change }: ThemeFieldsProps) {
  const unreadable = judgeTheme(values);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Colours</legend>
      <div className="flex flex-wrap gap-1.5">
        {LOOKS.map(({ name, theme }) => (
          <Button key={name} onClick={() => change(theme)} aria-pressed={isLook(values, theme)}>
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
        {COLOURS.map(({ name, label }) => (
          <ColourField
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
        {unreadable.map(({ field, chosen, contrast, shown }) => (
          <Banner key={field} tone="slow">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <p className="min-w-0 flex-1 basis-64">
                {NAMES[field]} {chosen} is hard to read on this background: contrast {contrast} : 1, readable
                from {NEEDED_CONTRAST} : 1 on. Visitors see {shown} instead.
              </p>
              <Button onClick={() => change({ [field]: shown })}>Use {shown}</Button>
            </div>
          </Banner>
        ))}
      </div>
    </fieldset>
  );
}

function isLook(values: PageValues, theme: (typeof LOOKS)[number]['theme']): boolean {
  return COLOURS.every(({ name }) => values[name].toLowerCase() === theme[name]);
}

/** A colour, as its hex digits and by the system's picker. */
function ColourField({ name, label, value, fallback, error, onChange }: ColourFieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={name} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex items-stretch rounded-md border border-line-strong bg-surface has-aria-invalid:border-bad">
        <input
          type="color"
          aria-label={`Pick: ${label}`}
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
