import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { MonitorName } from './page-values';

type Props = {
  /** Those that are not on the page. */
  monitors: readonly MonitorName[];
  isNothingChosen: boolean;
  /** `nextFocus` is the id of the element that the keyboard goes on from. */
  add: (ids: string[], nextFocus: string) => void;
};

/** More than anybody reads: who looks for one among them types. */
const SHOWN = 50;
export const SEARCH = 'search-monitors';

function addButtonId(id: string): string {
  return `add-${id}`;
}

/** Monitors to put on the page, found by name. */
export function AddMonitors({ monitors, isNothingChosen, add }: Props) {
  const [sought, setSought] = useState('');
  const wanted = sought.trim().toLowerCase();
  const found = monitors.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (monitors.length === 0) {
    return isNothingChosen ? (
      <p className="text-muted">There are no monitors yet. The page can be made now and filled later.</p>
    ) : (
      <p className="text-muted">All monitors are on the page.</p>
    );
  }
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex items-center gap-2 border-b border-line p-1.5">
        <label className="relative min-w-0 flex-1">
          <span className="sr-only">Search monitors to add</span>
          <Search
            className="pointer-events-none absolute top-2 left-2 size-4 text-muted"
            aria-hidden="true"
          />
          <input
            id={SEARCH}
            type="search"
            value={sought}
            onChange={(event) => setSought(event.target.value)}
            // Enter looks, it does not send the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            placeholder="Add monitors"
            className="h-8 w-full rounded bg-surface pr-2 pl-8 text-base placeholder:text-muted sm:text-sm"
          />
        </label>
        <Button
          tone="bare"
          disabled={found.length === 0}
          onClick={() =>
            add(
              found.map(({ id }) => id),
              SEARCH,
            )
          }
        >
          {wanted === '' ? 'Add all' : `Add ${found.length}`}
        </Button>
      </div>
      <ul aria-label="Monitors that are not on the page" className="max-h-52 overflow-y-auto py-1">
        {found.slice(0, SHOWN).map(({ id, name }, index) => (
          <li key={id}>
            <button
              type="button"
              id={addButtonId(id)}
              onClick={() => {
                const next = found[index + 1] ?? found[index - 1];
                add([id], next ? addButtonId(next.id) : SEARCH);
              }}
              className="flex w-full items-center gap-2 px-3 py-1.5 text-left -outline-offset-2 hover:bg-sunken"
            >
              <Plus className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <span className="sr-only">Add</span>
              <span className="min-w-0 truncate">{name}</span>
            </button>
          </li>
        ))}
        {found.length === 0 ? <li className="px-3 py-1.5 text-muted">No monitor has such a name.</li> : null}
        {found.length > SHOWN ? (
          <li className="px-3 py-1.5 text-muted">{found.length - SHOWN} more: type a part of a name.</li>
        ) : null}
      </ul>
    </div>
  );
}
