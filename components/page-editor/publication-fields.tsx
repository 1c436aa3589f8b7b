import { SelectField, TextField } from '@/components/ui/forms/field';
import { formatDuration } from '@/lib/core/time/duration';
import type { PageValues } from './page-values';

const CHOICES = [
  { value: 'immediately', label: 'Show immediately' },
  { value: 'after', label: 'Show after some minutes' },
  { value: 'manually', label: 'Show only when published by hand' },
] as const;

const HINTS: Record<PageValues['automaticShow'], string> = {
  immediately: 'Outages that Pharos detects appear on the page at once.',
  after: 'Until then, the page shows the monitor as operational. Shorter outages never appear as incidents.',
  manually:
    'Until you publish an incident on its own page, the status page shows the monitor as operational.',
};

type Props = {
  values: PageValues;
  errors: Record<string, string>;
  change: (changes: Partial<PageValues>) => void;
};

/** When a page shows automatic incidents. */
export function PublicationFields({ values: { automaticShow, automaticMinutes }, errors, change }: Props) {
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <SelectField
        name="automaticShow"
        label="Automatic incidents"
        options={CHOICES}
        value={automaticShow}
        onChange={({ target }) =>
          change({
            automaticShow: CHOICES.find(({ value }) => value === target.value)?.value ?? 'immediately',
          })
        }
        error={errors.automaticShow}
        hint={HINTS[automaticShow]}
      />
      {automaticShow === 'after' ? (
        <TextField
          name="automaticMinutes"
          label="After"
          unit="min"
          type="number"
          inputMode="numeric"
          min={1}
          max={1440}
          required
          value={automaticMinutes}
          onChange={({ target }) => change({ automaticMinutes: target.value })}
          error={errors.automaticMinutes}
        />
      ) : null}
    </div>
  );
}

/** The choice in words, for readers. */
export function formatPublication({ automaticShow, automaticMinutes }: PageValues): string {
  if (automaticShow === 'after') return `Shown after ${formatDuration(Number(automaticMinutes) * 60_000)}`;
  return automaticShow === 'manually' ? 'Published by hand' : 'Shown immediately';
}
