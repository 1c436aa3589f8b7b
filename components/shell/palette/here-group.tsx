import { Copy, Pause, Pencil, Play } from 'lucide-react';
import type { FoundMonitor } from '@/lib/schemas/search';
import { fits } from './intent';
import { PaletteGroup, PaletteItem } from './palette-item';

type Props = {
  monitor: FoundMonitor;
  sought: string;
  go: (href: string) => () => void;
  switchTo: (monitor: FoundMonitor, enabled: boolean) => () => void;
};

/** What can be done with the monitor on the screen. */
export function HereGroup({ monitor, sought, go, switchTo }: Props) {
  const { id, enabled } = monitor;
  const all = [
    {
      label: enabled ? 'Pause this monitor' : 'Resume this monitor',
      Icon: enabled ? Pause : Play,
      run: switchTo(monitor, !enabled),
    },
    { label: 'Edit this monitor', Icon: Pencil, run: go(`/monitors/${id}/edit`) },
    { label: 'Duplicate this monitor', Icon: Copy, run: go(`/monitors/new?from=${id}`) },
  ];
  return (
    <PaletteGroup heading={monitor.name}>
      {all
        .filter(({ label }) => fits(label, sought))
        .map(({ label, Icon, run }) => (
          <PaletteItem key={label} value={label} onSelect={run}>
            <Icon aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate">{label}</span>
          </PaletteItem>
        ))}
    </PaletteGroup>
  );
}
