import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Probe } from '@/lib/schemas/probes/probe';
import { ProbeTable } from './probe-table';

const AT = '2026-03-01T12:00:00.000Z';

/** The text of the row of a probe, for a service of version 0.10.0. */
function readRow(fields: Partial<Probe>): string {
  const probe: Probe = {
    id: '3f0c2d52-9f1c-4d0b-8f7e-6a4f6f3f3c1a',
    token: { id: 'prt_1', name: 'Rack 2' },
    host: 'rack-2',
    address: '203.0.113.7',
    version: '0.10.0',
    isLive: true,
    checksPerSecond: 12.5,
    lateness: 1234,
    backlog: 1500,
    startedAt: AT,
    lastSeenAt: AT,
    ...fields,
  };
  const html = renderToStaticMarkup(
    <ProbeTable label="Probes" probes={[probe]} serviceVersion="0.10.0" now={AT} />,
  );
  return html
    .slice(html.indexOf('<tbody'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

it('a probe is shown with what it reports', () => {
  const row = readRow({});
  for (const text of ['rack-2', 'Rack 2', '203.0.113.7', '0.10.0', '12.5', '1.23s', '1,500', 'Active'])
    expect(row).toContain(text);
  expect(row).not.toContain('update');
});

it('a probe older than the service, or of a version that does not report it, is marked', () => {
  expect(readRow({ version: '0.9.0' })).toContain('0.9.0 update to 0.10.0');
  expect(readRow({ version: null })).toContain('unknown update to 0.10.0');
});

it('a silent probe that reported nothing has no figures', () => {
  const row = readRow({ isLive: false, checksPerSecond: null, lateness: null, backlog: null });
  expect(row).toContain('Silent');
  expect(row.match(/–/g)).toHaveLength(3);
});
