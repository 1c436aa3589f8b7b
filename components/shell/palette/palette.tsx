'use client';

import { Command as Cmdk } from 'cmdk';
import {
  Activity,
  BookOpen,
  CircleAlert,
  Copy,
  PanelsTopLeft,
  Pause,
  Pencil,
  Play,
  Search,
} from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { requestCheckOf } from '@/components/monitors/checks/check-requests';
import { StandingBadge, standingOf } from '@/components/monitors/standing-badge';
import { ReturnFocus } from '@/components/ui/dialogs/return-focus';
import { leave } from '@/components/ui/navigation/leave';
import { showError, showUndoToast, UNREACHABLE } from '@/components/ui/toasts/toast';
import { isProbed } from '@/lib/checks/types';
import type { Found, FoundMonitor } from '@/lib/schemas/search';
import { readOpeners } from '../overlay';
import { KeyCaps } from '../shortcuts/key-caps';
import {
  commandGroups,
  fits,
  type Intent,
  type PaletteGroup,
  type PaletteItem,
  type PaletteTools,
  readIntent,
} from './commands';
import type { PaletteProps } from './palette-button';
import { paletteText } from './type-ahead';

/** The number of monitors shown without a query. */
const MAX_INITIAL = 5;

type Props = PaletteProps & { onClose: () => void };

/** Search, navigation, and frequent actions from the keyboard. */
export function Palette({ onClose, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [openers] = useState(readOpeners);
  const typed = paletteText.use();
  const { groups, empty } = useGroups(props, typed);

  // Results arrive a moment after typing; Enter chooses the first item shown by then.
  const first = groups[0]?.items[0]?.value ?? '';
  const [chosen, setChosen] = useState(first);
  useEffect(() => setChosen(first), [first]);

  const closeOnSecondPress = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    onClose();
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // By default the text is selected, and the next key would replace what was typed before.
            event.preventDefault();
            input.current?.focus();
            input.current?.setSelectionRange(typed.length, typed.length);
          }}
          className="fixed top-[max(1rem,12dvh)] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-surface shadow-xl"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Cmdk
            label="Search and commands"
            value={chosen}
            onValueChange={setChosen}
            shouldFilter={false}
            vimBindings={false}
            loop
            onKeyDown={closeOnSecondPress}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-3.5">
              <Search className="size-4 shrink-0 text-muted" />
              <Cmdk.Input
                ref={input}
                value={typed}
                onValueChange={paletteText.set}
                placeholder="Search monitors, pages, and actions…"
                maxLength={200}
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
              />
            </div>
            <Cmdk.List className="max-h-[min(26rem,60dvh)] scroll-py-1 overflow-y-auto overscroll-contain">
              <PaletteLines groups={groups} onChosen={onClose} />
              <Cmdk.Empty className="px-4 py-6 text-center text-muted">{empty}</Cmdk.Empty>
            </Cmdk.List>
          </Cmdk>
          <ReturnFocus openers={openers} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What is offered for what is typed, and what is shown if that is nothing. */
function useGroups(props: PaletteProps, typed: string) {
  const router = useRouter();
  const here = /^\/monitors\/(mon_\w+)/.exec(usePathname())?.[1] ?? null;
  const mayUpdate = props.may.includes('monitor.update');
  const intent = mayUpdate ? readIntent(typed) : { action: 'open' as const, query: typed.trim() };
  const { found, searched, hasFailed } = useSearch(props.search, intent.query, here);

  const tools: PaletteTools = {
    go: (href) => leave(() => router.push(href)),
    switchMonitor: (monitor, enabled) => switchAndConfirm(props.switchMonitor, monitor, enabled),
    checkMonitor: ({ id }) =>
      id === here
        ? requestCheckOf(id)
        : leave(() => {
            requestCheckOf(id);
            router.push(`/monitors/${id}`);
          }),
  };
  const groups = [
    ...(found?.here && mayUpdate ? [hereGroup(found.here, typed, tools)] : []),
    ...(found ? foundGroups(found, intent, tools) : []),
    ...(intent.action === 'open' ? commandGroups(props, intent.query, tools) : []),
  ].filter(({ items }) => items.length > 0);
  const empty = formatEmpty(intent.query, { hasFailed, isDone: searched === intent.query });
  return { groups, empty };
}

function formatEmpty(query: string, { hasFailed, isDone }: { hasFailed: boolean; isDone: boolean }): string {
  if (hasFailed) return 'The service did not respond. Try again.';
  return isDone ? `No results for “${query}”.` : 'Searching…';
}

/** Pauses or resumes a monitor and confirms it with an undo button. */
function switchAndConfirm(
  switchMonitor: PaletteProps['switchMonitor'],
  monitor: FoundMonitor,
  enabled: boolean,
): void {
  startTransition(async () => {
    const problem = await switchMonitor(monitor.id, enabled).catch(() => UNREACHABLE);
    if (problem !== null) return showError(problem);
    showUndoToast(`${enabled ? 'Resumed' : 'Paused'} ${monitor.name}`, () =>
      switchAndConfirm(switchMonitor, monitor, !enabled),
    );
  });
}

/** The items of the palette under their headings. */
function PaletteLines({ groups, onChosen }: { groups: PaletteGroup[]; onChosen: () => void }) {
  return groups.map(({ heading, items }) => (
    <Cmdk.Group
      key={heading}
      heading={heading}
      className="p-1 [&>[cmdk-group-heading]]:truncate [&>[cmdk-group-heading]]:px-2.5 [&>[cmdk-group-heading]]:pt-1.5 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-xs [&>[cmdk-group-heading]]:text-muted"
    >
      {items.map((item) => (
        <Line key={item.value} item={item} onChosen={onChosen} />
      ))}
    </Cmdk.Group>
  ));
}

function Line({ item, onChosen }: { item: PaletteItem; onChosen: () => void }) {
  const { value, label, detail, Icon, standing, keys, run } = item;
  return (
    <Cmdk.Item
      value={value}
      onSelect={() => {
        onChosen();
        run();
      }}
      className="touch flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-sunken"
    >
      {Icon ? <Icon className="size-4 shrink-0 text-muted" /> : null}
      <span className={`min-w-0 truncate ${standing ? '' : 'flex-1'}`}>{label}</span>
      {detail ? (
        <span
          className={
            standing ? 'min-w-0 flex-1 truncate font-mono text-xs text-muted max-sm:hidden' : 'text-muted'
          }
        >
          {detail}
        </span>
      ) : null}
      {standing ? (
        <StandingBadge standing={standing} weight="font-normal" className="ml-auto shrink-0" />
      ) : null}
      {keys ? <KeyCaps stroke={keys} /> : null}
    </Cmdk.Item>
  );
}

/** The results, to be opened; or only the monitors that can be checked, paused or resumed, if that was typed. */
export function foundGroups(found: Found, { action, query }: Intent, tools: PaletteTools): PaletteGroup[] {
  const { monitors, incidents, statusPages, help } = found;
  if (action === 'check') {
    const items = monitors.filter(canCheck).map((each) => monitorItem(each, () => tools.checkMonitor(each)));
    return [{ heading: 'Check now', items }];
  }
  if (action !== 'open') {
    const enabled = action === 'resume';
    const others = monitors.filter((monitor) => monitor.enabled !== enabled);
    const items = others.map((each) => monitorItem(each, () => tools.switchMonitor(each, enabled)));
    return [{ heading: enabled ? 'Resume' : 'Pause', items }];
  }
  const isAll = query === '';
  return [
    {
      heading: 'Monitors',
      items: monitors
        .slice(0, isAll ? MAX_INITIAL : undefined)
        .map((each) => monitorItem(each, () => tools.go(`/monitors/${each.id}`))),
    },
    {
      heading: 'Incidents',
      items: incidents
        .filter(({ status }) => !isAll || status !== 'resolved')
        .map(({ id, title, status }) => ({
          value: id,
          label: title,
          detail: status,
          Icon: CircleAlert,
          run: () => tools.go(`/incidents/${id}`),
        })),
    },
    {
      heading: 'Status pages',
      items: (isAll ? [] : statusPages).map(({ slug, name, published }) => ({
        value: `page ${slug}`,
        label: name,
        detail: published ? slug : 'not published',
        Icon: PanelsTopLeft,
        run: () => tools.go(`/status-pages/${slug}`),
      })),
    },
    {
      heading: 'Help',
      items: (isAll ? [] : help).map(({ href, label, hint }) => ({
        value: `help ${href}`,
        label,
        detail: hint,
        Icon: BookOpen,
        run: () => tools.go(href),
      })),
    },
  ];
}

/** Actions for the monitor on the screen. */
export function hereGroup(monitor: FoundMonitor, typed: string, tools: PaletteTools): PaletteGroup {
  const { id, name, enabled } = monitor;
  const all = [
    ...(canCheck(monitor)
      ? [
          {
            label: 'Check this monitor now',
            Icon: Activity,
            keys: 'c',
            run: () => tools.checkMonitor(monitor),
          },
        ]
      : []),
    {
      label: enabled ? 'Pause this monitor' : 'Resume this monitor',
      Icon: enabled ? Pause : Play,
      run: () => tools.switchMonitor(monitor, !enabled),
    },
    { label: 'Edit this monitor', Icon: Pencil, keys: 'e', run: () => tools.go(`/monitors/${id}/edit`) },
    { label: 'Duplicate this monitor', Icon: Copy, run: () => tools.go(`/monitors/new?from=${id}`) },
  ];
  const items = all.filter(({ label }) => fits(label, typed)).map((item) => ({ ...item, value: item.label }));
  return { heading: name, items };
}

function canCheck(monitor: FoundMonitor): boolean {
  return monitor.enabled && isProbed(monitor);
}

function monitorItem(monitor: FoundMonitor, run: () => void): PaletteItem {
  return {
    value: monitor.id,
    label: monitor.name,
    detail: monitor.url,
    standing: standingOf(monitor),
    run,
  };
}

/** Waits for further typing. */
const DEBOUNCE_MS = 120;

/** The results for `searched`, the last completed query. */
type SearchState = { found: Found | null; searched: string | null; hasFailed: boolean };

/** Searches a moment after typing stopped. Previous results are kept until then. */
function useSearch(search: PaletteProps['search'], query: string, here: string | null): SearchState {
  const [state, setState] = useState<SearchState>({ found: null, searched: null, hasFailed: false });
  const runSearch = useEffectEvent(search);

  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(
      async () => {
        const found = await runSearch(query, here).catch(() => null);
        if (!isOver) setState({ found, searched: query, hasFailed: found === null });
      },
      query === '' ? 0 : DEBOUNCE_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, here]);

  return state;
}
