import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { GroupPanel } from './group-panel';

type Props = Parameters<typeof GroupPanel>[0];

it('shows each member with its status, how many are up, and how many must be', () => {
  const rule = { memberRule: 'count', memberMinimum: 2, members: ['mon_1', 'mon_2', 'mon_3'] };
  const member = { enabled: true, maintenance: false, noDataSince: null };
  const html = renderToStaticMarkup(
    <GroupPanel
      monitor={rule as Props['monitor']}
      members={[
        { ...member, id: 'mon_1', name: 'Node <1>', status: 'degraded' },
        { ...member, id: 'mon_2', name: 'Node 2', status: 'down' },
        { ...member, id: 'mon_3', name: 'Node 3', status: 'down', maintenance: true },
      ]}
    />,
  );
  expect(html).toContain('1 of 2 up. At least 2 of 3 members must be up. 1 does not count now.');
  expect(html).toContain('Node &lt;1&gt;');
  for (const label of ['Degraded', 'Down', 'Maintenance']) expect(html).toContain(label);
});
