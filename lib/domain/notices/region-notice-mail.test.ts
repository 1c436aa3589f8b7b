import { describe, expect, it } from 'vitest';
import { later, notice, render } from './testing/notices';

describe('an email about a region', () => {
  const effect =
    '2 monitors have no current data: the last known status is kept, and the time counts as unknown.';

  it('states since when no worker has run there, the effect and what to do', () => {
    const { subject, text } = render([notice('region.silent', 'eu-west', { effect: effect })]);
    expect(subject).toBe('No data from eu-west');
    expect(text).toBe(`No data from eu-west

No worker has run in eu-west since 2026-03-01 12:00 UTC.

${effect}

Start a worker for this region, or check that its machine is running and can reach the database.

View monitors:
https://pharos.test/monitors

-- 
Pharos
You receive this email because you are a member of Acme.
`);
  });

  it('states that it is sending data again and for how long it sent none', () => {
    const notices = [
      notice('region.silent', 'eu-west', { effect: effect }),
      notice('region.back', 'eu-west', { downtime: 840, occurredAt: later(840) }),
    ];
    const { subject, text } = render(notices);
    expect(subject).toBe('eu-west is sending data again');
    expect(text).toMatch(/\neu-west sent no data for 14m\.\n\nDetected at 2026-03-01 12:14 UTC\.\n/);
  });

  it('can include monitors that changed', () => {
    const notices = [notice('region.silent', 'eu-west'), notice('monitor.down', 'Shop')];
    const { subject, text } = render(notices);
    expect(subject).toBe('No data from eu-west; 1 monitor changed: 1 down');
    expect(text).toContain('No data (1)');
    expect(text).toContain('No worker has run in eu-west since 2026-03-01 12:00 UTC.');
  });
});

describe('an email about a probe', () => {
  const silent = notice('probe.silent', 'rack-2', { regionName: 'Hamburg office' });
  const back = notice('probe.back', 'rack-2', { regionName: 'Hamburg office', downtime: 840 });

  it('states since when and from where it has not reported, and what to do', () => {
    const { subject, text } = render([silent]);
    expect(subject).toBe('Probe rack-2 is silent');
    expect(text).toContain(`It has not reported from Hamburg office since 2026-03-01 12:00 UTC.

Check that its machine is running and can reach this service. If it no longer exists, revoke its token.

View regions:
https://pharos.test/settings/regions
`);
  });

  it('states that it reports again, also if both are mailed together', () => {
    for (const notices of [[back], [silent, back]]) {
      const { subject, text } = render(notices);
      expect(subject).toBe('Probe rack-2 is back');
      expect(text).toMatch(/\nIt reports from Hamburg office again, after 14m\.\n\nDetected at /);
    }
  });

  it('lists several, with others', () => {
    const other = notice('probe.silent', 'rack-3', { regionName: 'Kiel' });
    const { subject, text } = render([silent, other, notice('monitor.down', 'Shop')]);
    expect(subject).toBe('1 monitor changed: 1 down; 2 probes silent');
    expect(text).toContain('- rack-3: It has not reported from Kiel since 2026-03-01 12:00 UTC.');
    const many = Array.from({ length: 3 }, (_, index) => notice('probe.back', `rack-${index}`));
    expect(render(many).subject).toBe('3 probes back');
  });
});
