import type { StateTone } from './state';

/** One shape per tone, so that no state is recognizable by color alone. */
const SHAPES: Record<StateTone, string> = {
  good: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm3.2 4.3L7.1 9.4 4.9 7.2 3.8 8.3l3.3 3.3 5.2-5.2z',
  slow: 'M8 1.2 15.6 14.6H.4zM7.2 6v4.4h1.6V6zm0 5.6v1.6h1.6v-1.6z',
  bad: 'M5 1h6l4 4v6l-4 4H5l-4-4V5zm.6 3.5L4.5 5.6 6.9 8l-2.4 2.4 1.1 1.1L8 9.1l2.4 2.4 1.1-1.1L9.1 8l2.4-2.4-1.1-1.1L8 6.9z',
  info: 'M3 1h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3c0-1.1.9-2 2-2zm4.2 6v5h1.6V7zm0-3v1.6h1.6V4z',
  rest: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6zM5 7.2h6v1.6H5z',
};

export function Sprite() {
  return (
    <svg width="0" height="0" aria-hidden="true">
      {Object.entries(SHAPES).map(([tone, path]) => (
        <symbol key={tone} id={`i-${tone}`} viewBox="0 0 16 16">
          <path d={path} fillRule="evenodd" fill="currentColor" />
        </symbol>
      ))}
    </svg>
  );
}

/** The icon of a tone; decorative, because it stands next to a text with the same meaning. */
export function Icon({ tone }: { tone: StateTone }) {
  return (
    <svg className={`icon ${tone}`} aria-hidden="true">
      <use href={`#i-${tone}`} />
    </svg>
  );
}

/** The icon as a data URL, for the browser tab. */
export function iconUrl(tone: StateTone): string {
  const color = { good: '#16a34a', slow: '#d97706', bad: '#e5484d', info: '#3b82f6', rest: '#8b8b8b' }[tone];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill-rule="evenodd" fill="${color}" d="${SHAPES[tone]}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
