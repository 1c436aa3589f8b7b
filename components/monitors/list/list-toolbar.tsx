import { useRef } from 'react';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import { SearchField } from '@/components/ui/forms/search-field';
import { useEarlyInput } from '@/components/ui/forms/use-early-input';
import { Sheet } from '@/components/ui/sheet';
import { type ListQuery, SORTS, type Sort, type SortKey, toggleSort } from './list-query';

const CONTROL = 'h-8 rounded-md border border-line-strong bg-surface px-2 text-base text-ink sm:text-sm';

/** The only choice besides all. */
const SLOW_ALERTS = 'Slow to alert';

type Props = {
  query: ListQuery;
  /** Types and tags of the listed monitors. */
  types: readonly string[];
  tags: readonly string[];
  onType: (q: string) => void;
  onChoose: (change: Partial<Omit<ListQuery, 'q'>>) => void;
};

/** Search, type, tag, and the order, which column headers set, too. `/` focuses the search. */
export function ListToolbar({ query, types, tags, onType, onChoose }: Props) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': { label: 'Search the list', run: () => search.current?.select() } });
  return (
    <search className="flex min-w-0 flex-wrap gap-2 max-lg:w-full">
      <SearchField
        ref={search}
        label="Search monitors"
        value={query.q}
        onType={onType}
        onKeyDown={(event) => event.key === 'Escape' && query.q === '' && event.currentTarget.blur()}
        aria-keyshortcuts="/"
        placeholder="Name, target, or tag"
        spellCheck={false}
        frameClassName="flex-1 basis-40 sm:basis-56 lg:w-80"
        className="rounded-md border border-line-strong text-ink"
      />
      <Sheet
        id="list-filters"
        label="Filters"
        count={[query.type, query.tag, query.isSlowToAlert].filter(Boolean).length}
      >
        {types.length > 1 || query.type !== null ? (
          <Choice
            label="Type"
            all="All types"
            values={types}
            value={query.type}
            onChange={(type) => onChoose({ type })}
          />
        ) : null}
        {tags.length > 0 || query.tag !== null ? (
          <Choice
            label="Tag"
            all="All tags"
            values={tags}
            value={query.tag}
            onChange={(tag) => onChoose({ tag })}
          />
        ) : null}
        <Choice
          label="Alerts"
          all="All alerts"
          values={[SLOW_ALERTS]}
          value={query.isSlowToAlert ? SLOW_ALERTS : null}
          onChange={(value) => onChoose({ isSlowToAlert: value !== null })}
        />
        <SortChoice sort={query.sort} onChange={(sort) => onChoose({ sort })} />
      </Sheet>
    </search>
  );
}

type ChoiceProps = {
  label: string;
  all: string;
  values: readonly string[];
  value: string | null;
  onChange: (value: string | null) => void;
};

function Choice({ label, all, values, value, onChange }: ChoiceProps) {
  const choose = (chosen: string) => onChange(chosen === '' ? null : chosen);
  const field = useEarlyInput<HTMLSelectElement>(value ?? '', choose);
  // Keep the chosen value visible even if no monitor has it anymore.
  const offered = value === null || values.includes(value) ? values : [...values, value];
  return (
    <select
      ref={field}
      aria-label={label}
      autoComplete="off"
      value={value ?? ''}
      onChange={(event) => choose(event.target.value)}
      className={`${CONTROL} sm:max-w-40`}
    >
      <option value="">{all}</option>
      {offered.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

function SortChoice({ sort, onChange }: { sort: Sort; onChange: (sort: Sort) => void }) {
  const keys = Object.keys(SORTS) as SortKey[];
  const choose = (chosen: string) => {
    const key = keys.find((each) => each === chosen);
    if (key && key !== sort.key) onChange(toggleSort(sort, key));
  };
  const field = useEarlyInput<HTMLSelectElement>(sort.key, choose);
  return (
    <select
      ref={field}
      aria-label="Sort by"
      autoComplete="off"
      value={sort.key}
      onChange={(event) => choose(event.target.value)}
      className={CONTROL}
    >
      {keys.map((key) => (
        <option key={key} value={key}>
          Sort: {SORTS[key].label.toLowerCase()}
        </option>
      ))}
    </select>
  );
}
