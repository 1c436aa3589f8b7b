'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { describedBy, FieldNotes } from '@/components/ui/forms/field';
import { SearchField } from '@/components/ui/forms/search-field';

type Props = {
  monitors: readonly { id: string; name: string }[];
  chosen: string[];
  error?: string;
  hint?: string;
  /** How many can be selected; by default all. */
  max?: number;
  /** Name of the form field. */
  name?: string;
  label?: string;
  /** What is selected. */
  noun?: string;
  /** Receives all selected IDs on every change. */
  onChoose?: (ids: string[]) => void;
};

/** Selects monitors. The search only hides rows; hidden ones stay selected. */
export function MonitorPicker(props: Props) {
  const {
    monitors,
    chosen,
    error,
    hint,
    max,
    name: field = 'monitors',
    label = 'Monitors',
    noun = 'monitors',
    onChoose,
  } = props;
  const { ordered, selected, select } = useSelection(monitors, chosen, onChoose);
  const [search, setSearch] = useState('');
  const matches = (name: string) => name.toLowerCase().includes(search.trim().toLowerCase());
  const shown = ordered.filter(({ name }) => matches(name)).map(({ id }) => id);
  const isAllSelected = shown.length > 0 && shown.every((id) => selected.has(id));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">
        {label}{' '}
        <span className="font-normal text-muted" aria-live="polite">
          {selected.size} of {max === undefined ? monitors.length : `at most ${max}`}
        </span>
      </legend>
      <div className="overflow-hidden rounded-md border border-line-strong bg-surface">
        <div className="flex items-center gap-2 border-b border-line p-1.5">
          <SearchField label={`Search ${noun}`} value={search} onType={setSearch} placeholder="Search" />
          {max === undefined ? (
            <Button tone="bare" disabled={shown.length === 0} onClick={() => select(shown, !isAllSelected)}>
              {isAllSelected ? 'Clear' : 'Select all'}
            </Button>
          ) : null}
        </div>
        <ul className="max-h-60 overflow-y-auto py-1">
          {ordered.map(({ id, name }, index) => (
            <li key={id} hidden={!matches(name)}>
              <label className="flex items-center gap-2 px-3 py-1.5 hover:bg-sunken has-focus-visible:bg-sunken">
                <input
                  type="checkbox"
                  name={field}
                  value={id}
                  checked={selected.has(id)}
                  disabled={max !== undefined && selected.size >= max && !selected.has(id)}
                  onChange={(event) => select([id], event.target.checked)}
                  aria-invalid={error && index === 0 ? true : undefined}
                  aria-describedby={describedBy({ name: field, hint, error })['aria-describedby']}
                  className="size-4 shrink-0 accent-accent"
                />
                <span className="min-w-0 truncate">{name}</span>
              </label>
            </li>
          ))}
          {shown.length === 0 ? (
            <li className="px-3 py-2 text-muted">
              {monitors.length === 0 ? `No ${noun} yet.` : `No matching ${noun}.`}
            </li>
          ) : null}
        </ul>
      </div>
      <FieldNotes name={field} label={label} hint={hint} error={error} />
    </fieldset>
  );
}

/** The initial selection comes first, and the order does not change while selecting. */
function useSelection(monitors: Props['monitors'], chosen: readonly string[], onChoose: Props['onChoose']) {
  const [selected, setSelected] = useState(new Set(chosen));
  const [ordered] = useState(() =>
    [true, false].flatMap((isChosen) => monitors.filter(({ id }) => chosen.includes(id) === isChosen)),
  );
  const select = (ids: string[], isSelected: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
    onChoose?.([...next]);
  };
  return { ordered, selected, select };
}
