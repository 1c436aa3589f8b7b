import { CircleAlert, PanelsTopLeft } from 'lucide-react';
import { standingOf } from '@/components/monitors/standing';
import { StandingBadge } from '@/components/monitors/standing-badge';
import type { Found, FoundMonitor } from '@/lib/schemas/search';
import type { Intent } from './intent';
import { PaletteGroup, PaletteItem } from './palette-item';

type Props = {
  found: Found;
  deed: Intent['deed'];
  /** Nothing was sought: the first few are enough. */
  isAll: boolean;
  go: (href: string) => () => void;
  switchTo: (monitor: FoundMonitor, enabled: boolean) => () => void;
};

const FIRST = 5;

/** What was found, to be opened; or the monitors among it, to be paused or resumed. */
export function FoundGroups({ found, deed, isAll, go, switchTo }: Props) {
  const { monitors, statusPages, incidents } = found;
  if (deed !== 'open') {
    const enabled = deed === 'resume';
    const others = monitors.filter((monitor) => monitor.enabled !== enabled);
    return (
      <PaletteGroup heading={enabled ? 'Resume' : 'Pause'}>
        {others.map((monitor) => (
          <MonitorItem key={monitor.id} monitor={monitor} onSelect={switchTo(monitor, enabled)} />
        ))}
      </PaletteGroup>
    );
  }
  return (
    <>
      <PaletteGroup heading="Monitors">
        {monitors.slice(0, isAll ? FIRST : undefined).map((monitor) => (
          <MonitorItem key={monitor.id} monitor={monitor} onSelect={go(`/monitors/${monitor.id}`)} />
        ))}
      </PaletteGroup>
      <PaletteGroup heading="Incidents">
        {incidents
          .filter(({ status }) => !isAll || status !== 'resolved')
          .map(({ id, title, status }) => (
            <PaletteItem key={id} value={id} onSelect={go(`/incidents/${id}`)}>
              <CircleAlert aria-hidden="true" />
              <span className="min-w-0 flex-1 truncate">{title}</span>
              <span className="text-muted">{status}</span>
            </PaletteItem>
          ))}
      </PaletteGroup>
      <PaletteGroup heading="Status pages">
        {(isAll ? [] : statusPages).map(({ slug, name, published }) => (
          <PaletteItem key={slug} value={`page ${slug}`} onSelect={go(`/status-pages/${slug}`)}>
            <PanelsTopLeft aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="text-muted">{published ? slug : 'not published'}</span>
          </PaletteItem>
        ))}
      </PaletteGroup>
    </>
  );
}

function MonitorItem({ monitor, onSelect }: { monitor: FoundMonitor; onSelect: () => void }) {
  return (
    <PaletteItem value={monitor.id} onSelect={onSelect}>
      <span className="shrink-0 truncate max-sm:shrink">{monitor.name}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted max-sm:hidden">
        {monitor.url}
      </span>
      <StandingBadge standing={standingOf(monitor)} className="ml-auto shrink-0 font-normal" />
    </PaletteItem>
  );
}
