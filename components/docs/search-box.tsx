'use client';

import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { useEarlyInput } from '@/components/ui/forms/use-early-input';
import { rankEntries, type SearchEntry } from './rank-entries';

const SHOWN = 10;
const LIST_ID = 'search-results';
const optionId = (index: number) => `search-result-${index}`;

/** Searches operations, sections and fields of the whole reference. `/` focuses it from anywhere. */
export function SearchBox() {
  const [entries, setEntries] = useState<SearchEntry[] | 'loading' | 'failed' | null>(null);
  const [query, setQuery] = useState('');
  const found = Array.isArray(entries) ? rankEntries(entries, query, SHOWN) : [];

  const go = ({ href }: SearchEntry) => {
    setOpen(false);
    input.current?.blur();
    location.assign(href);
  };
  const { isShown, setOpen, active, setActive, onKeyDown } = useChoice(found, { query, choose: go });

  /** Most visitors never search, so entries are fetched on first focus, and again after a failure. */
  const load = async () => {
    setOpen(true);
    if (entries !== null && entries !== 'failed') return;
    setEntries('loading');
    setEntries(await fetchEntries());
  };
  const input = useEarlyInput<HTMLInputElement>(query, (text) => {
    setQuery(text);
    // Results of a field that was left again would be in the way.
    if (document.activeElement === input.current) void load();
  });
  useSlashKey(input);

  return (
    <search className="relative min-w-0 flex-1 sm:max-w-md [@media(scripting:none)]:hidden">
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" aria-hidden="true" />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={isShown}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={isShown && found.length > 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        value={query}
        onFocus={load}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
          void load();
        }}
        onKeyDown={onKeyDown}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-8 pl-8 text-base placeholder:text-muted sm:text-sm"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-1.5 right-2 rounded border border-line px-1.5 font-mono text-xs text-muted"
      >
        /
      </span>
      <Results entries={found} active={active} isShown={isShown} onChoose={go}>
        {isShown && found.length === 0 ? formatEmpty(entries, query) : ''}
      </Results>
    </search>
  );
}

type ChoiceOptions = { query: string; choose: (entry: SearchEntry) => void };

/** The list below the input: whether it is open, and which entry the arrow keys have reached. Enter chooses it. */
function useChoice(found: readonly SearchEntry[], { query, choose }: ChoiceOptions) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const isShown = isOpen && query.trim() !== '';
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      if (!isShown) event.currentTarget.blur();
      setOpen(false);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setOpen(true);
      if (found.length > 0) setActive((active + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      const entry = found[active];
      if (isShown && entry) choose(entry);
    }
  };
  return { isShown, setOpen, active, setActive, onKeyDown };
}

/** Focuses the input when `/` is pressed outside of one. */
function useSlashKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.matches('input:not([type=radio]), textarea');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [input]);
}

type ResultsProps = {
  entries: readonly SearchEntry[];
  active: number;
  isShown: boolean;
  onChoose: (entry: SearchEntry) => void;
  /** Why there are none. */
  children: string;
};

function Results({ entries, active, isShown, onChoose, children }: ResultsProps) {
  return (
    <div
      hidden={!isShown}
      className="absolute top-10 left-0 z-40 w-full min-w-72 overflow-hidden rounded-lg border border-line bg-surface p-1 shadow-lg max-sm:fixed max-sm:inset-x-3 max-sm:top-14 max-sm:w-auto"
    >
      <div id={LIST_ID} role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          <div
            key={entry.href}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => {
              event.preventDefault();
              onChoose(entry);
            }}
            className="cursor-pointer rounded px-2 py-1.5 hover:bg-sunken aria-selected:bg-sunken"
          >
            <span className={entry.kind === 'field' ? 'font-mono text-[0.8125rem]' : undefined}>
              {entry.label}
            </span>
            <span className="block truncate font-mono text-xs text-muted">{entry.hint}</span>
          </div>
        ))}
      </div>
      <p className="px-2 py-1.5 text-muted empty:hidden" role="status">
        {children}
      </p>
    </div>
  );
}

async function fetchEntries(): Promise<SearchEntry[] | 'failed'> {
  try {
    const response = await fetch('/docs/search.json');
    return response.ok ? await response.json() : 'failed';
  } catch {
    return 'failed';
  }
}

function formatEmpty(entries: SearchEntry[] | 'loading' | 'failed' | null, query: string): string {
  if (entries === 'failed') return 'Search could not be loaded. Check your connection and try again.';
  return Array.isArray(entries) ? `No results for “${query}”.` : 'Loading…';
}
