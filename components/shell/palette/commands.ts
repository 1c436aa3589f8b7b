import {
  ArrowLeftRight,
  CircleAlert,
  Clock,
  CornerDownRight,
  FileText,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  PanelsTopLeft,
  Plus,
  Sun,
  Wrench,
} from 'lucide-react';
import { startTransition } from 'react';
import type { Standing } from '@/components/monitors/standing-badge';
import { toggleExactTimes } from '@/components/ui/moment';
import type { FoundMonitor } from '@/lib/schemas/search';
import { chooseTheme } from '../choose-theme';
import { showOverlay } from '../overlay';
import { PLACES } from '../places';
import type { PaletteProps } from './palette-button';

/** Something that the palette can do without looking anything up; `words` are others by which it is found. */
type Command = { label: string; Icon: LucideIcon; words?: string; keys?: string } & (
  | { href: string }
  | { run: () => void }
);

/** What can be done without looking anything up, as far as it fits what is sought. */
export function commandGroups(props: PaletteProps, sought: string, { go }: PaletteTools): PaletteGroup[] {
  const all: [heading: string, commands: Command[]][] = [
    ['Create', listCreations(props)],
    ['Go to', listDestinations(props)],
    ['You', listOwnCommands(props)],
  ];
  return all.map(([heading, commands]) => ({
    heading,
    items: commands
      .filter(({ label, words = '' }) => fits(`${label} ${words}`, sought))
      .map((command) => ({
        value: `${heading} ${command.label}`,
        label: command.label,
        Icon: command.Icon,
        keys: command.keys,
        run: 'href' in command ? () => go(command.href) : command.run,
      })),
  }));
}

/** What can be made, by those who may. */
function listCreations({ may }: Pick<PaletteProps, 'may'>): Command[] {
  const all = [
    { may: may.createMonitor, label: 'New monitor', Icon: Plus, href: '/monitors/new' },
    { may: may.createIncident, label: 'New incident', Icon: CircleAlert, href: '/incidents/new' },
    { may: may.createStatusPage, label: 'New status page', Icon: PanelsTopLeft, href: '/status-pages/new' },
    { may: may.createMaintenance, label: 'Schedule maintenance', Icon: Wrench, href: '/maintenance/new' },
  ];
  return all.flatMap(({ may: isAllowed, ...command }) =>
    isAllowed ? [{ ...command, words: 'create add' }] : [],
  );
}

/** Where one can go. */
function listDestinations({ settings }: Pick<PaletteProps, 'settings'>): Command[] {
  return [
    ...PLACES.map(({ href, label, key }) => ({ href, label, Icon: CornerDownRight, keys: `g ${key}` })),
    ...settings.map(({ href, label }) => ({
      href,
      label,
      Icon: CornerDownRight,
      words: 'settings',
    })),
    { href: '/docs', label: 'API reference', Icon: FileText, words: 'docs documentation' },
  ];
}

/** What concerns the person and their browser. */
function listOwnCommands(props: PaletteProps): Command[] {
  const { organization, organizations, switchTo, setTheme, signOut } = props;
  const others = organizations.filter(({ id }) => id !== organization.id);
  return [
    ...others.map(({ id, name }) => ({
      label: `Switch to ${name}`,
      Icon: ArrowLeftRight,
      words: 'organization',
      run: () => startTransition(() => switchTo(id)),
    })),
    { label: 'Light theme', Icon: Sun, words: 'appearance', run: () => chooseTheme('light', setTheme) },
    { label: 'Dark theme', Icon: Moon, words: 'appearance', run: () => chooseTheme('dark', setTheme) },
    { label: 'System theme', Icon: Monitor, words: 'appearance', run: () => chooseTheme('system', setTheme) },
    { label: 'Exact times', Icon: Clock, words: 'relative timestamps', keys: 't', run: toggleExactTimes },
    { label: 'Keyboard shortcuts', Icon: Keyboard, keys: '?', run: () => showOverlay('keys') },
    { label: 'Sign out', Icon: LogOut, words: 'log out', run: () => startTransition(() => signOut()) },
  ];
}

/** What is typed into the palette: what is sought, and what is to be done with the monitor that is chosen. */
export type Intent = { deed: 'open' | 'pause' | 'resume'; sought: string };

/** Reads `pause shop` as the wish to pause what `shop` finds; anything else seeks what to open. */
export function readIntent(typed: string): Intent {
  const [, deed, rest = ''] = /^\s*(pause|resume)\s+(.*)$/i.exec(typed) ?? [];
  if (deed === undefined) return { deed: 'open', sought: typed.trim() };
  return { deed: deed.toLowerCase() === 'pause' ? 'pause' : 'resume', sought: rest.trim() };
}

/** Whether all words that are sought stand in a text, in whatever order. */
export function fits(text: string, sought: string): boolean {
  const found = text.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
}

/** A line of the palette, and what choosing it does. */
export type PaletteItem = {
  /** Tells it from all others. */
  value: string;
  label: string;
  run: () => void;
  Icon?: LucideIcon;
  detail?: string;
  standing?: Standing;
  /** The keys that do the same. */
  keys?: string | undefined;
};

export type PaletteGroup = { heading: string; items: PaletteItem[] };

/** By what lines do something. */
export type PaletteTools = {
  go: (href: string) => void;
  switchMonitor: (monitor: FoundMonitor, enabled: boolean) => void;
};
