import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { MonitorRow } from './monitor-row';

const NEVER_CHECKED: MonitorOverview = {
  id: 'mon_1',
  name: 'Shop',
  url: 'http://shop.test/',
  type: 'http',
  regions: ['us-east'],
  tags: [],
  enabled: true,
  maintenance: false,
  noDataSince: null,
  status: 'pending',
  lastCheckedAt: null,
  changedAt: null,
  uptimePercentage: null,
  p95: null,
  alertsAfter: 20,
  youngSince: 1_790_000_000,
};

const render = (monitor: MonitorOverview) =>
  renderToStaticMarkup(
    <table>
      <tbody>
        <MonitorRow
          monitor={monitor}
          beats={null}
          now="2026-11-30T12:00:00.000Z"
          index={0}
          isSelected={null}
          onSelect={() => {}}
          onFocus={() => {}}
        />
      </tbody>
    </table>,
  );

describe('the uptime in the row of a monitor', () => {
  it('is a dash where nothing is known, without since when that is so', () => {
    const html = render(NEVER_CHECKED);
    expect(html).toContain('<span class="text-muted">–</span></td>');
    expect(html).not.toMatch(/%|since/);
  });

  it('is a percentage once something is known, with since when a young monitor counts', () => {
    const html = render({ ...NEVER_CHECKED, uptimePercentage: 99.5 });
    expect(html.match(/99\.50%/g)).toHaveLength(2);
    expect(html).toContain('since ');
  });
});
