/** One place for what head and rows share. From `lg` on a table; below, a row is a card of two lines. */
export const HEAD_CELL =
  'sticky top-0 z-20 bg-surface shadow-[inset_0_-1px_0_var(--line)] px-3 py-2 text-left text-xs font-medium text-muted';
export const CELL = 'px-3 py-1.5 align-middle max-lg:p-0';

export const WIDTHS = {
  select: 'w-10',
  status: 'w-34',
  regions: 'w-32 max-xl:hidden',
  beats: 'w-44',
  uptime: 'w-30',
  p95: 'w-26',
  checked: 'w-28',
} as const;
