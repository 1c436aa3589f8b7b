import type { LucideIcon } from 'lucide-react';
import type { Standing } from '@/components/monitors/standing';
import type { FoundMonitor } from '@/lib/schemas/search';

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
