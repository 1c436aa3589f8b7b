'use client';

import { Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldNotes } from '@/components/ui/field';

type Props = {
  monitors: readonly { id: string; name: string }[];
  chosen: string[];
  error?: string;
  /** The field that the form sends. */
  name?: string;
  label?: string;
  /** Told of every change: all that are ticked then. */
  onChoose?: (ids: string[]) => void;
};

/** Monitors to tick, with a search that only hides: what is ticked stays so. */
export function MonitorPicker({
  monitors,
  chosen,
  error,
  name: field = 'monitors',
  label = 'Monitors',
  onChoose,
}: Props) {
  const [ticked, setTicked] = useState(new Set(chosen));
  // What was chosen before stands first, and stays where it is while one ticks.
  const [ordered] = useState(() =>
    [true, false].flatMap((isChosen) => monitors.filter(({ id }) => chosen.includes(id) === isChosen)),
  );
  const [sought, setSought] = useState('');
  const fits = (name: string) => name.toLowerCase().includes(sought.trim().toLowerCase());
  const shown = ordered.filter(({ name }) => fits(name));
  const tick = (ids: string[], isTicked: boolean) => {
    const next = new Set(ticked);
    for (const id of ids) {
      if (isTicked) next.add(id);
      else next.delete(id);
    }
    setTicked(next);
    onChoose?.([...next]);
  };
  const isAllTicked = shown.length > 0 && shown.every(({ id }) => ticked.has(id));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">
        {label}{' '}
        <span className="font-normal text-muted" aria-live="polite">
          {ticked.size} of {monitors.length}
        </span>
      </legend>
      <div className="overflow-hidden rounded-md border border-line-strong bg-surface">
        <div className="flex items-center gap-2 border-b border-line p-1.5">
          <label className="relative min-w-0 flex-1">
            <span className="sr-only">Search monitors</span>
            <Search
              className="pointer-events-none absolute top-2 left-2 size-4 text-muted"
              aria-hidden="true"
            />
            <input
              type="search"
              value={sought}
              onChange={(event) => setSought(event.target.value)}
              // Enter looks, it does not send the form.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
              placeholder="Search"
              className="h-8 w-full rounded bg-surface pr-2 pl-8 text-base placeholder:text-muted sm:text-sm"
            />
          </label>
          <Button
            tone="bare"
            disabled={shown.length === 0}
            onClick={() =>
              tick(
                shown.map(({ id }) => id),
                !isAllTicked,
              )
            }
          >
            {isAllTicked ? 'Clear' : 'Select all'}
          </Button>
        </div>
        <ul className="max-h-60 overflow-y-auto py-1">
          {ordered.map(({ id, name }, index) => (
            <li key={id} hidden={!fits(name)}>
              <label className="flex items-center gap-2 px-3 py-1.5 hover:bg-sunken has-focus-visible:bg-sunken">
                <input
                  type="checkbox"
                  name={field}
                  value={id}
                  checked={ticked.has(id)}
                  onChange={(event) => tick([id], event.target.checked)}
                  aria-invalid={error && index === 0 ? true : undefined}
                  aria-describedby={error ? `${field}-error` : undefined}
                  className="size-4 shrink-0 accent-accent"
                />
                <span className="min-w-0 truncate">{name}</span>
              </label>
            </li>
          ))}
          {shown.length === 0 ? (
            <li className="px-3 py-2 text-muted">
              {monitors.length === 0 ? 'There are no monitors yet.' : 'No monitor has such a name.'}
            </li>
          ) : null}
        </ul>
      </div>
      <FieldNotes name={field} label={label} error={error} />
    </fieldset>
  );
}
