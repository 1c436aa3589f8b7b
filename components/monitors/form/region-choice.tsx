import { FieldNotes } from '@/components/ui/field';
import type { FormChoices } from './form-choices';

type Props = { regions: FormChoices['regions']; chosen: string[]; error?: string };

/** Where a monitor is checked from; at least one. */
export function RegionChoice({ regions, chosen, error }: Props) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Regions</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {regions.map(({ id, location, isInPlan }, index) => (
          <label
            key={id}
            className="flex items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-sunken has-checked:border-accent has-disabled:cursor-not-allowed has-disabled:bg-sunken"
          >
            <input
              type="checkbox"
              name="regions"
              value={id}
              defaultChecked={chosen.includes(id)}
              // One that was chosen under another plan can be given up, but not taken.
              disabled={!isInPlan && !chosen.includes(id)}
              aria-invalid={error && index === 0 ? true : undefined}
              aria-describedby={error ? 'regions-error' : undefined}
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
      <FieldNotes
        name="regions"
        label="Regions"
        hint="With several, a monitor is down when most of them agree."
        error={error}
      />
    </fieldset>
  );
}
