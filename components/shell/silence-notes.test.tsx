import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CutOffNote } from './silence-notes';

const NOW = new Date('2026-03-01T12:04:00.000Z');

it('the dashboard shows since when Pharos cannot reach the network, and from where', () => {
  const since = new Date('2026-03-01T12:00:00.000Z');
  const cutOff = ['eu-west', 'us-east'].map((region) => ({ region, since }));
  const html = renderToStaticMarkup(<CutOffNote regions={cutOff} now={NOW} />);
  expect(html).toContain('Pharos has been unable to reach the network since');
  expect(html).toContain('2026-03-01T12:00:00.000Z');
  expect(renderToStaticMarkup(<CutOffNote regions={[]} now={NOW} />)).toBe('');
});
