'use client';

import { Command as Cmdk } from 'cmdk';
import { Search } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { commandGroups } from './commands';
import { foundGroups, hereGroup } from './found-items';
import { readIntent } from './intent';
import type { PaletteTools } from './palette-item';
import { PaletteLines } from './palette-lines';
import type { PaletteProps } from './palette-props';
import { switchAndSay } from './switch-and-say';
import { useSearch } from './use-search';

type Props = PaletteProps & { onClose: () => void };

/** Finds anything, goes anywhere and does what one does often, from the keyboard. */
export function Palette({ onClose, ...props }: Props) {
  const router = useRouter();
  const here = /^\/monitors\/(mon_\w+)/.exec(usePathname())?.[1] ?? null;
  const [typed, setTyped] = useState('');
  const intent = props.may.updateMonitor
    ? readIntent(typed)
    : { deed: 'open' as const, sought: typed.trim() };
  const { found, answered, hasFailed } = useSearch(props.search, intent.sought, here);

  const tools: PaletteTools = {
    go: router.push,
    switchMonitor: (monitor, enabled) => switchAndSay(props.switchMonitor, monitor, enabled),
  };
  const groups = [
    ...(found?.here && props.may.updateMonitor ? [hereGroup(found.here, typed, tools)] : []),
    ...(found ? foundGroups(found, intent, tools) : []),
    ...(intent.deed === 'open' ? commandGroups(props, intent.sought, tools) : []),
  ].filter(({ items }) => items.length > 0);

  // What is found comes a moment after it was typed: Enter is for the first line that is there then.
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
              <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <Cmdk.Input
                value={typed}
                onValueChange={setTyped}
                placeholder="Find a monitor, a page, an action …"
                maxLength={200}
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
              />
            </div>
            <Cmdk.List className="max-h-[min(26rem,60dvh)] scroll-py-1 overflow-y-auto overscroll-contain">
              <PaletteLines groups={groups} onChosen={onClose} />
              <Cmdk.Empty className="px-4 py-6 text-center text-muted">
                {sayNothing(intent.sought, { hasFailed, isDone: answered === intent.sought })}
              </Cmdk.Empty>
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function sayNothing(sought: string, { hasFailed, isDone }: { hasFailed: boolean; isDone: boolean }): string {
  if (hasFailed) return 'The service did not answer.';
  return isDone ? `Nothing is called “${sought}”.` : 'Searching …';
}
