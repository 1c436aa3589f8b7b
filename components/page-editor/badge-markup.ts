import type { MonitorName } from './page-values';

/** What `/embed` takes, in CSS pixels. */
export const EMBED_HEIGHT = 44;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

type Badge = {
  address: string;
  name: string;
  /** The value of one of the choices. */
  shown: string;
  monitors: readonly MonitorName[];
};

/** What a badge can show, and the one that is chosen as Markdown and as HTML. Names in it cannot break out of either. */
export function badgeMarkup({ address, name, shown, monitors }: Badge) {
  const [about = '', figure] = shown.split(' ');
  const monitor = monitors.find(({ id }) => id === about);
  const query = monitor
    ? `?${new URLSearchParams({ monitor: monitor.id, ...(figure === 'uptime' ? { show: 'uptime' } : {}) })}`
    : '';
  const image = `${address}/badge.svg${query}`;
  const alt = `Status of ${monitor?.name ?? name}`;
  return {
    choices: [
      { value: 'page', label: 'The whole page' },
      ...monitors.flatMap(({ id, name: own }) => [
        { value: id, label: `${own}: status` },
        { value: `${id} uptime`, label: `${own}: uptime of 30 days` },
      ]),
    ],
    markdown: `[![${alt.replace(/[[\]\\`]/g, '\\$&').replace(/\s+/g, ' ')}](${image})](${address})`,
    html: `<a href="${address}"><img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"></a>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
