import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { THEME_DEFAULTS } from '@/lib/schemas/theme-defaults';
import { ColourField } from './colour-field';
import { judgeTheme, NEEDED_CONTRAST, type UnreadableColour } from './judge-theme';
import type { PageValues } from './page-values';

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

type Props = {
  values: PageValues;
  errors: Record<string, string>;
  change: (changes: Partial<PageValues>) => void;
};

/** The colours of a page, with a word on those that nobody could read. */
export function ThemeFields({ values, errors, change }: Props) {
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
