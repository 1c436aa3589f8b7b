import { FieldNotes } from '@/components/ui/field';
import { EVENT_TEXTS } from './endpoint-texts';

/** What an endpoint is told of; at least one. */
export function EventChoice({ chosen, error }: { chosen: string[]; error?: string }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Events</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {Object.entries(EVENT_TEXTS).map(([kind, meaning], index) => (
          <label
            key={kind}
            className="flex items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-sunken has-checked:border-accent"
          >
            <input
              type="checkbox"
              name="events"
              value={kind}
              defaultChecked={chosen.includes(kind)}
              aria-invalid={error && index === 0 ? true : undefined}
              aria-describedby={error ? 'events-error' : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block font-mono text-xs leading-5">{kind}</span>
              <span className="block text-xs text-muted">{meaning}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldNotes name="events" label="Events" error={error} />
    </fieldset>
  );
}
