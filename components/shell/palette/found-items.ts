import { CircleAlert, Copy, PanelsTopLeft, Pause, Pencil, Play } from 'lucide-react';
import { standingOf } from '@/components/monitors/standing';
import type { Found, FoundMonitor } from '@/lib/schemas/search';
import { fits, type Intent } from './intent';
import type { PaletteGroup, PaletteItem, PaletteTools } from './palette-item';

/** Of what is open and in trouble so much is shown before anything is sought. */
const FIRST = 5;

/** What was found, to be opened; or the monitors among it that can be paused or resumed, where that is asked for. */
export function foundGroups(found: Found, { deed, sought }: Intent, tools: PaletteTools): PaletteGroup[] {
  const { monitors, incidents, statusPages } = found;
  if (deed !== 'open') {
    const enabled = deed === 'resume';
    const others = monitors.filter((monitor) => monitor.enabled !== enabled);
    const items = others.map((each) => monitorItem(each, () => tools.switchMonitor(each, enabled)));
    return [{ heading: enabled ? 'Resume' : 'Pause', items }];
  }
  const isAll = sought === '';
  return [
    {
      heading: 'Monitors',
      items: monitors
        .slice(0, isAll ? FIRST : undefined)
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
  ];
}

/** What can be done with the monitor on the screen. */
export function hereGroup(monitor: FoundMonitor, typed: string, tools: PaletteTools): PaletteGroup {
  const { id, name, enabled } = monitor;
  const all = [
    {
      label: enabled ? 'Pause this monitor' : 'Resume this monitor',
      Icon: enabled ? Pause : Play,
      run: () => tools.switchMonitor(monitor, !enabled),
    },
    { label: 'Edit this monitor', Icon: Pencil, run: () => tools.go(`/monitors/${id}/edit`) },
    { label: 'Duplicate this monitor', Icon: Copy, run: () => tools.go(`/monitors/new?from=${id}`) },
  ];
  const items = all.filter(({ label }) => fits(label, typed)).map((item) => ({ ...item, value: item.label }));
  return { heading: name, items };
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
