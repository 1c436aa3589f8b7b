import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT, SHOWN_TEXT } from '@/lib/domain/status-pages/testing/hostile-text';
import { childOf, childrenOf, parseXml, type XmlNode } from '@/lib/domain/status-pages/testing/xml';
import { type BadgeFigure, STATE_COLORS, writeBadge } from './badge';

const read = (label: string, figure: BadgeFigure) => parseXml(writeBadge(label, figure));
const namesIn = (node: XmlNode): string[] => [node.name, ...node.children.flatMap(namesIn)];
const textsIn = (node: XmlNode): string[] => [
  ...(node.name === 'text' ? [node.text] : []),
  ...node.children.flatMap(textsIn),
];

/** Contrast of white on a color (WCAG 2.2). */
function contrastToWhite(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('a badge', () => {
  it('has label and status, also as a text alternative', () => {
    const svg = read('Acme', { state: 'operational' });
    expect(svg).toMatchObject({
      name: 'svg',
      attributes: { role: 'img', 'aria-label': 'Acme: operational' },
    });
    expect(childOf(svg, 'title').text).toBe('Acme: operational');
    expect(textsIn(svg)).toEqual(['Acme', 'operational']);
    expect(textsIn(read('Acme', { state: 'majorOutage' }))).toEqual(['Acme', 'major outage']);
  });

  it.each([
    [100, '100%', 'operational'],
    [99.9, '99.9%', 'operational'],
    [99.89, '99.89%', 'degraded'],
    [98.99, '98.99%', 'down'],
  ] as const)('shows an uptime of %d as %s in the color of %s', (uptimePercentage, shown, state) => {
    const svg = read('Shop', { uptimePercentage, isCurrent: true });
    expect(textsIn(svg)).toEqual(['Shop', shown]);
    const [, figure] = svg.children.flatMap((group) => childrenOf(group, 'rect'));
    expect(figure?.attributes.fill).toBe(STATE_COLORS[state]);
  });

  it.each(Object.entries(STATE_COLORS))('%s is readable: white on %s', (_, color) => {
    expect(contrastToWhite(color)).toBeGreaterThan(5);
  });

  it('works without a label', () => {
    const svg = read('', { state: 'down' });
    expect(svg.attributes['aria-label']).toBe('down');
  });

  it('shows foreign text unchanged without running or loading anything', () => {
    const svg = read(HOSTILE_TEXT, { state: 'paused' });
    expect(textsIn(svg)).toEqual([SHOWN_TEXT, 'paused']);
    expect(svg.attributes['aria-label']).toBe(`${SHOWN_TEXT}: paused`);
    expect(new Set(namesIn(svg))).toEqual(new Set(['svg', 'title', 'g', 'rect', 'text']));
    expect(writeBadge('Acme', { state: 'down' })).not.toMatch(/href|@font-face|url\(|<style/);
  });
});
