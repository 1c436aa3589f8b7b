import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { SearchField } from '@/components/ui/forms/search-field';
import type { MonitorName } from '@/lib/domain/monitors/dependencies/read-references';

type Props = {
  /** Monitors not on the page yet. */
  monitors: readonly MonitorName[];
  isPageEmpty: boolean;
  /** `nextFocus` is the ID of the element to focus next. */
  add: (ids: string[], nextFocus: string) => void;
};

/** Beyond this many, people search. */
const MAX_SHOWN = 50;
export const SEARCH_ID = 'search-monitors';

function addButtonId(id: string): string {
  return `add-${id}`;
}

/** Searches monitors and adds them to the page. */
export function AddMonitors({ monitors, isPageEmpty, add }: Props) {
  const [query, setQuery] = useState('');
  const search = query.trim().toLowerCase();
  const found = monitors.filter(({ name }) => name.toLowerCase().includes(search));
  const ids = found.map(({ id }) => id);
  if (monitors.length === 0) {
    return isPageEmpty ? (
      <p className="text-muted">No monitors yet. You can create the page now and add monitors later.</p>
    ) : (
      <p className="text-muted">All monitors are on the page.</p>
    );
  }
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <div className="flex items-center gap-2 border-b border-line p-1.5">
        <SearchField
          id={SEARCH_ID}
          label="Search monitors to add"
          value={query}
          onType={setQuery}
          placeholder="Add monitors"
        />
        <Button tone="bare" disabled={found.length === 0} onClick={() => add(ids, SEARCH_ID)}>
          {search === '' ? 'Add all' : `Add ${found.length}`}
        </Button>
      </div>
      <ul aria-label="Monitors not on the page" className="max-h-52 overflow-y-auto py-1">
        {found.slice(0, MAX_SHOWN).map(({ id, name }, index) => (
          <li key={id}>
            <button
              type="button"
              id={addButtonId(id)}
              onClick={() => {
                const next = found[index + 1] ?? found[index - 1];
                add([id], next ? addButtonId(next.id) : SEARCH_ID);
              }}
              className="flex w-full items-center gap-2 px-3 py-1.5 text-left -outline-offset-2 hover:bg-sunken"
            >
              <Plus className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <span className="sr-only">Add</span>
              <span className="min-w-0 truncate">{name}</span>
            </button>
          </li>
        ))}
        {found.length === 0 ? <li className="px-3 py-1.5 text-muted">No matching monitors.</li> : null}
        {found.length > MAX_SHOWN ? (
          <li className="px-3 py-1.5 text-muted">
            {found.length - MAX_SHOWN} more. Search to narrow the list.
          </li>
        ) : null}
      </ul>
    </div>
  );
}
