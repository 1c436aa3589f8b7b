import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { type OfferedRegion, RegionChoice } from './region-choice';

const offered = (id: string, name: string, isInPlan = true): OfferedRegion => ({
  id,
  name,
  location: id === 'loc_101' ? 'Hamburg, Germany' : 'Frankfurt, Germany',
  probedBy: 'probe-1',
  machines: ['m1'],
  isInPlan,
});

const HERE = ['us-east', 'eu-west', 'ap-southeast'].map((id) => offered(id, 'This machine'));
const ELSEWHERE = ['us-east', 'eu-west'].map((id) => offered(id, id));
const OFFICE = offered('loc_101', 'Hamburg office');

/** The choice as text, with each input as `[name=value]`, and ✓ if it is checked. */
function read(regions: readonly OfferedRegion[], chosen: string[]): string {
  const html = renderToStaticMarkup(
    <RegionChoice name="regions" label="Regions" hint="Where from." regions={regions} chosen={chosen} />,
  );
  return html
    .replace(/<input[^>]*>/g, (input) => {
      const [, value] = /value="([^"]*)"/.exec(input) ?? [];
      return `[regions=${value}${input.includes('checked=""') ? ' ✓' : ''}]`;
    })
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

it('one machine is nothing to choose: the form says so, and keeps the regions', () => {
  expect(read(HERE, ['us-east'])).toBe(
    '[regions=us-east] Checked from this machine. Check from other places',
  );
  expect(read(HERE, ['us-east', 'eu-west'])).toContain(
    '[regions=us-east,eu-west] Checked from this machine, with 2 checks each time that count as 2 regions.',
  );
});

it('with an own region, this machine is one of the places, and names no city', () => {
  const text = read([...HERE, OFFICE], ['us-east', 'eu-west']);
  expect(text).toContain('[regions=us-east,eu-west ✓] This machine Where the checks of Pharos run.');
  expect(text).toContain('[regions=loc_101] Hamburg office Hamburg, Germany. Probed by probe-1.');
  expect(text).not.toContain('Frankfurt');
  expect(read([...HERE, OFFICE], ['loc_101'])).toContain('[regions=us-east] This machine');
});

it('several places are offered by ID, with their city and who probes there, unless the plan excludes them', () => {
  const text = read([...ELSEWHERE, offered('ap-southeast', 'ap-southeast', false)], ['eu-west']);
  expect(text).toContain('[regions=eu-west ✓] eu-west Frankfurt, Germany. Probed by probe-1.');
  expect(text).toContain('[regions=ap-southeast] ap-southeast Frankfurt, Germany. Not in your plan.');
});
