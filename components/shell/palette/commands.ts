import {
  ArrowLeftRight,
  BookOpen,
  CircleAlert,
  Clock,
  CornerDownRight,
  FileText,
  Import,
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
import { toggleExactTimes } from '@/components/ui/time/moment';
import type { FoundMonitor } from '@/lib/schemas/search';
import { chooseTheme } from '../choose-theme';
import { showOverlay } from '../overlay';
import { PLACES } from '../places';
import type { PaletteProps } from './palette-button';

/** A command that needs no search; `words` are further keywords that find it. */
type Command = Omit<PaletteItem, 'value'> & { words?: string };

/** The commands that match the query, by group. */
export function commandGroups(props: PaletteProps, query: string, { go }: PaletteTools): PaletteGroup[] {
  const all: [heading: string, commands: Command[]][] = [
    ['Create', listCreations(props, go)],
    ['Go to', listDestinations(props, go)],
    ['Account', listAccountCommands(props)],
  ];
  return all.map(([heading, commands]) => ({
    heading,
    items: commands
      .filter(({ label, words = '' }) => fits(`${label} ${words}`, query))
      .map((command) => ({ ...command, value: `${heading} ${command.label}` })),
  }));
}

/** What this person may create. */
function listCreations({ may }: PaletteProps, go: PaletteTools['go']): Command[] {
  const all = [
    { action: 'monitor.create', label: 'New monitor', Icon: Plus, href: '/monitors/new' },
    { action: 'monitor.create', label: 'Import monitors', Icon: Import, href: '/monitors/import' },
    { action: 'incident.create', label: 'New incident', Icon: CircleAlert, href: '/incidents/new' },
    {
      action: 'status-page.create',
      label: 'New status page',
      Icon: PanelsTopLeft,
      href: '/status-pages/new',
    },
    { action: 'maintenance.create', label: 'Schedule maintenance', Icon: Wrench, href: '/maintenance/new' },
  ] as const;
  return all
    .filter(({ action }) => may.includes(action))
    .map(({ label, Icon, href }) => ({ label, Icon, words: 'create add', run: () => go(href) }));
}

function listDestinations({ settings }: PaletteProps, go: PaletteTools['go']): Command[] {
  const all = [
    ...PLACES.map(({ href, label, key }) => ({ href, label, Icon: CornerDownRight, keys: `g ${key}` })),
    ...settings.map(({ href, label }) => ({ href, label, Icon: CornerDownRight, words: 'settings' })),
    { href: '/docs/guide', label: 'User guide', Icon: BookOpen, words: 'help docs documentation' },
    { href: '/docs', label: 'API reference', Icon: FileText, words: 'docs documentation' },
  ];
  return all.map(({ href, ...command }) => ({ ...command, run: () => go(href) }));
}

/** Commands for the person and their browser. */
function listAccountCommands(props: PaletteProps): Command[] {
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
    {
      label: 'Toggle exact times',
      Icon: Clock,
      words: 'relative timestamps',
      keys: 't',
      run: toggleExactTimes,
    },
    { label: 'Keyboard shortcuts', Icon: Keyboard, keys: '?', run: () => showOverlay('keys') },
    { label: 'Sign out', Icon: LogOut, words: 'log out', run: () => startTransition(() => signOut()) },
  ];
}

const VERBS = ['check', 'pause', 'resume'] as const;

/** What is typed into the palette: a query, and what to do with the chosen monitor. */
export type Intent = { action: 'open' | (typeof VERBS)[number]; query: string };

/** Parses `pause shop` as pausing a monitor found by `shop`; anything else is a query for something to open. */
export function readIntent(typed: string): Intent {
  const [, word = '', rest = ''] = /^\s*(\w+)\s+(.*)$/.exec(typed) ?? [];
  const action = VERBS.find((verb) => verb === word.toLowerCase());
  return action === undefined ? { action: 'open', query: typed.trim() } : { action, query: rest.trim() };
}

/** Whether a text contains all words of a query, in any order. */
export function fits(text: string, query: string): boolean {
  const found = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
}

/** An item of the palette. */
export type PaletteItem = {
  /** Unique among all items. */
  value: string;
  label: string;
  run: () => void;
  Icon?: LucideIcon;
  detail?: string;
  standing?: Standing;
  /** The keyboard shortcut that does the same. */
  keys?: string | undefined;
};

export type PaletteGroup = { heading: string; items: PaletteItem[] };

/** What items can do. */
export type PaletteTools = {
  go: (href: string) => void;
  switchMonitor: (monitor: FoundMonitor, enabled: boolean) => void;
  /** Checks a monitor once, on its page. */
  checkMonitor: (monitor: FoundMonitor) => void;
};
