'use client';

import { Command as Cmdk } from 'cmdk';
import { Search } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useState } from 'react';
import { KeyCaps } from '../shortcuts/key-caps';
import { type Command, listCreations, listDestinations, listOwnCommands } from './commands';
import { FoundGroups } from './found-groups';
import { HereGroup } from './here-group';
import { fits, readIntent } from './intent';
import { PaletteGroup, PaletteItem } from './palette-item';
import type { PaletteProps } from './palette-props';
import { switchAndSay } from './switch-and-say';
import { useSearch } from './use-search';

type Props = PaletteProps & { onClose: () => void };

/** Finds anything, goes anywhere and does what one does often, from the keyboard. */
export function Palette({ onClose, ...props }: Props) {
  const router = useRouter();
  const here = /^\/monitors\/(mon_\w+)/.exec(usePathname())?.[1] ?? null;
  const [typed, setTyped] = useState('');
  const { deed, sought } = readIntent(typed);
  const search = useSearch(props.search, sought, here);

  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const go = (href: string) => then(() => router.push(href));
  const groups: [heading: string, commands: Command[]][] = [
    ['Create', listCreations(props)],
    ['Go to', listDestinations(props)],
    ['You', listOwnCommands(props)],
  ];
  const closeOnSecondPress = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    onClose();
  };
  const commands = groups.map(([heading, all]) => (
    <PaletteGroup key={heading} heading={heading}>
      {all
        .filter(({ label, words = '' }) => deed === 'open' && fits(`${label} ${words}`, sought))
        .map((command) => (
          <PaletteItem
            key={command.label}
            value={`${heading} ${command.label}`}
            onSelect={'href' in command ? go(command.href) : then(command.run)}
          >
            <command.Icon aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            {command.keys ? <KeyCaps stroke={command.keys} /> : null}
          </PaletteItem>
        ))}
    </PaletteGroup>
  ));
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
              {props.may.updateMonitor && search.found?.here ? (
                <HereGroup
                  monitor={search.found.here}
                  sought={typed}
                  switchTo={(monitor, enabled) =>
                    then(() => switchAndSay(props.switchMonitor, monitor, enabled))
                  }
                  go={go}
                />
              ) : null}
              {sought === '' ? null : commands}
              {search.found ? (
                <FoundGroups
                  found={search.found}
                  deed={props.may.updateMonitor ? deed : 'open'}
                  isAll={sought === ''}
                  go={go}
                  switchTo={(monitor, enabled) =>
                    then(() => switchAndSay(props.switchMonitor, monitor, enabled))
                  }
                />
              ) : null}
              {sought === '' ? commands : null}
              <Cmdk.Empty className="px-4 py-6 text-center text-muted">
                {sayNothing(search.hasFailed, search.for === sought, sought)}
              </Cmdk.Empty>
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function sayNothing(hasFailed: boolean, isDone: boolean, sought: string): string {
  if (hasFailed) return 'The service did not answer.';
  return isDone ? `Nothing is called “${sought}”.` : 'Searching …';
}
