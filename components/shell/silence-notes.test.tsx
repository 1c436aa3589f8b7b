import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RegionNamesProvider } from '@/components/monitors/regions/region-names';
import { CutOffNote, SilentRegionsNote } from './silence-notes';

const NOW = new Date('2026-03-01T12:04:00.000Z');

it('the dashboard shows since when Pharos cannot reach the network, and from where', () => {
  const since = new Date('2026-03-01T12:00:00.000Z');
  const cutOff = ['eu-west', 'us-east'].map((region) => ({ region, since }));
  const html = renderToStaticMarkup(<CutOffNote regions={cutOff} now={NOW} />);
  expect(html).toContain('Pharos has been unable to reach the network since');
  expect(html).toContain('2026-03-01T12:00:00.000Z');
  expect(renderToStaticMarkup(<CutOffNote regions={[]} now={NOW} />)).toBe('');
});

it('regions without a worker are named, and once if they are one place', () => {
  const regions = ['eu-west', 'us-east'].map((region) => ({
    region,
    since: null,
    monitors: 2,
    withoutData: 1,
  }));
  const read = (names: Record<string, string>) =>
    renderToStaticMarkup(
      <RegionNamesProvider names={names}>
        <SilentRegionsNote regions={regions} names={names} now={NOW} />
      </RegionNamesProvider>,
    ).replace(/<[^>]+>/g, '');
  expect(read({})).toMatch(/No data from eu-west\..*No data from us-east\..*1 monitor has no current data/);
  const here = read({ 'us-east': 'This machine', 'eu-west': 'This machine' });
  expect(here.match(/No data from this machine\./g)).toHaveLength(1);
  expect(here).not.toContain('region');
});
