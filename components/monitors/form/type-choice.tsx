import { describedBy, FieldNotes } from '@/components/ui/field';
import { CHECK_TYPES, MONITOR_TYPES } from '@/lib/checks/types';

type Props = { type: string; onChange: (type: string) => void; error?: string };

/** One of the monitor types, as a row of radio buttons. */
export function TypeChoice({ type, onChange, error }: Props) {
  const notes = describedBy({ name: 'type', error });
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={notes['aria-describedby']}>
      <legend className="mb-1 text-sm font-medium">Type</legend>
      <div className="grid grid-cols-4 gap-1 rounded-lg border border-line bg-sunken p-1">
        {MONITOR_TYPES.map((each) => (
          <label
            key={each}
            className="flex h-8 items-center justify-center rounded-md border border-transparent text-sm text-muted has-checked:border-line-strong has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="type"
              value={each}
              checked={each === type}
              onChange={() => onChange(each)}
              className="sr-only"
            />
            {CHECK_TYPES[each].texts.label}
          </label>
        ))}
      </div>
      <FieldNotes name="type" label="Type" error={error} />
    </fieldset>
  );
}
