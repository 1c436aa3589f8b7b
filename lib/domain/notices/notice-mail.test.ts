import { describe, expect, it } from 'vitest';
import { wordsOf } from '@/lib/platform/mail/testing/words-of';
import { AT, later, notice, render } from './testing/notices';

const OUTAGE = {
  target: 'https://shop.example.com/health',
  since: later(-120),
  before: 'operational',
  regions: ['us-east', 'Hamburg'],
  voting: 3,
  marker: { title: 'Deploy 42', at: later(-240) },
};

describe('an email about one monitor', () => {
  it('names monitors that depend on it and are down too, five of them', () => {
    const dependents = { all: 41, down: 40, names: ['API', 'Blog', 'Docs', 'Shop', 'Wiki'] };
    const failing = notice('monitor.down', 'Gateway', { dependents });
    const { subject, text } = render([failing]);
    expect(subject).toBe('Gateway is down, and 41 that depend on it');
    expect(text).toContain('Down too: API, Blog, Docs, Shop, Wiki and 35 more.');
    const one = { ...failing, dependents: { all: 1, down: 1, names: ['Shop'] } };
    expect(render([one]).text).toContain('Down too: Shop.');
    const none = { ...failing, dependents: { all: 2, down: 0, names: [] } };
    expect(render([none]).text).not.toContain('Down too');
    const digest = render([one, notice('monitor.down', 'Mail')]).text;
    expect(digest).toContain('- Gateway: responded with 503, expected 200, and 1 that depends on it');
  });

  it('states that it is down, with the error and a link', () => {
    const { subject, text } = render([notice('monitor.down', 'api.example.com')]);
    expect(subject).toBe('api.example.com is down');
    expect(text).toBe(`api.example.com is down

Cause: responded with 503, expected 200
Detected: 2026-03-01 12:00 UTC

View monitor:
https://pharos.test/monitors/id_api.example.com

-- 
Pharos
You receive this email because you are a member of Acme.
`);
  });

  it('states what is checked from where, the cause, since when, what changed and what was deployed before', () => {
    const down = notice('monitor.down', 'Shop', { outage: OUTAGE });
    const { content, text } = render([down]);
    expect(text).toContain(`Shop is down

Cause: responded with 503, expected 200
Target: https://shop.example.com/health
Regions: us-east, Hamburg (2 of 3)
Since: 2026-03-01 11:58 UTC
Status: operational → down
Changed: Deploy 42, 2026-03-01 11:56 UTC
Detected: 2026-03-01 12:00 UTC

View monitor:
https://pharos.test/monitors/id_Shop
`);
    expect(content.preheader).toBe('responded with 503, expected 200');
    const up = render([notice('monitor.up', 'Shop', { downtime: 120, outage: OUTAGE })]);
    expect(up.text).toContain('Down since: 2026-03-01 11:58 UTC\nStatus: down → operational\n');
    const two = render([
      down,
      notice('monitor.down', 'API', { outage: { ...OUTAGE, regions: ['us-east'] } }),
    ]);
    expect(two.text).toContain(
      '- Shop: responded with 503, expected 200. In us-east, Hamburg (2 of 3) since 2026-03-01 11:58 UTC\n',
    );
    for (const { text, html } of [render([down]), up, two]) {
      expect(wordsOf.html(html)).toEqual(wordsOf.text(text));
    }
  });

  it('leaves out of that what is unknown, and what a heartbeat does not have', () => {
    const outage = { ...OUTAGE, target: '', regions: [], voting: 0, before: null, since: null, marker: null };
    const { text } = render([notice('monitor.down', 'Backup', { outage })]);
    expect(text).toContain(
      'Backup is down\n\nCause: responded with 503, expected 200\nDetected: 2026-03-01 12:00 UTC\n',
    );
  });

  it('states that it is back up and for how long it was down', () => {
    const { subject, text } = render([notice('monitor.up', 'Shop', { downtime: 3900 })]);
    expect(subject).toBe('Shop is back up');
    expect(text).toMatch(/^Shop is back up\n\nIt was down for 1h 5m\.\n/);
  });

  it('combines a brief outage into one statement', () => {
    const { subject, text } = render([notice('monitor.down', 'Shop'), notice('monitor.up', 'Shop')]);
    expect(subject).toBe('Shop is back up');
    expect(text).toMatch(
      /^Shop is back up\n\nIt was down for 45s\.\n\nCause: responded with 503, expected 200\n/,
    );
    expect(text).not.toContain('Shop is down');
  });

  it('adds up the downtimes of a flapping monitor', () => {
    const flapping = [
      notice('monitor.down', 'Shop'),
      notice('monitor.up', 'Shop', { downtime: 20 }),
      notice('monitor.down', 'Shop'),
      notice('monitor.up', 'Shop', { downtime: 15 }),
    ];
    expect(render(flapping).text).toContain('It was down for 35s');
    const down = render(flapping.slice(1, 3));
    expect(down.subject).toBe('Shop is down');
  });

  it('has no links when APP_URL is not set', () => {
    const { content, text, html } = render([notice('monitor.down', 'Shop')], null);
    expect(content).not.toHaveProperty('button');
    expect(text).not.toContain('http');
    expect(html).not.toContain('<a ');
  });
});

describe('an email about many', () => {
  it('lists monitors that are down first, each with its error, then those that are back up', () => {
    const { subject, text, html } = render([
      notice('monitor.up', 'Blog'),
      notice('monitor.down', 'Shop'),
      notice('monitor.down', 'API', { error: 'connection refused', occurredAt: later(50) }),
      notice('monitor.down', 'Wiki'),
      notice('monitor.up', 'Wiki', { downtime: 10 }),
    ]);
    expect(subject).toBe('4 monitors changed: 2 down, 2 up');
    expect(text.split('-- ')[0]).toBe(`4 monitors changed: 2 down, 2 up

Detected between 2026-03-01 12:00 UTC and 2026-03-01 12:01 UTC.

Down (2)

- Shop: responded with 503, expected 200
  https://pharos.test/monitors/id_Shop
- API: connection refused
  https://pharos.test/monitors/id_API

Back up (2)

- Blog: down for 45s
  https://pharos.test/monitors/id_Blog
- Wiki: down for 10s: responded with 503, expected 200
  https://pharos.test/monitors/id_Wiki

View monitors:
https://pharos.test/monitors

`);
    expect(html.indexOf('Down (2)')).toBeLessThan(html.indexOf('Back up (2)'));
    expect(html).toContain('href="https://pharos.test/monitors/id_API"');
  });

  it('truncates long lists and states how many more there are', () => {
    const down = Array.from({ length: 1950 }, (_, index) => notice('monitor.down', `m${index}`));
    const up = Array.from({ length: 50 }, (_, index) => notice('monitor.up', `u${index}`));
    const { subject, text, html } = render([...down, ...up]);
    expect(subject).toBe('2000 monitors changed: 1950 down, 50 up');
    expect(text.match(/^- m\d+:/gm)).toHaveLength(50);
    expect(text).toContain('- and 1900 more\n');
    expect(text.match(/^- u\d+:/gm)).toHaveLength(50);
    expect(html.length, 'mail clients truncate at 102 KB').toBeLessThan(102_000);
  });

  it('lists disabled channels and what to do', () => {
    const one = render([notice('webhook.disabled', 'hooks.example.com')]);
    expect(one.subject).toBe('Channel hooks.example.com was disabled');
    expect(one.text).toContain('enable the channel again and recover the missed deliveries');
    expect(one.text).toContain('https://pharos.test/notifications/id_hooks.example.com');
    const two = [notice('webhook.disabled', 'a'), notice('webhook.disabled', 'b')];
    expect(render(two).content).toMatchObject({
      subject: '2 channels disabled',
      button: { url: 'https://pharos.test/notifications/channels' },
    });
    const mixed = render([...two.slice(1), notice('monitor.down', 'Shop')]);
    expect(mixed.subject).toBe('1 monitor changed: 1 down; 1 channel disabled');
    expect(mixed.text).toContain('Disabled channels (1)');
  });
});

it('emails have the same words and addresses as text and as HTML', () => {
  const [down, up] = [
    notice('monitor.down', 'Shop & "Co" <1>', { subjectId: 'mon_1' }),
    notice('monitor.up', 'Blog'),
  ];
  const all = [
    down,
    up,
    notice('monitor.down', 'API'),
    notice('webhook.disabled', 'hooks'),
    notice('region.silent', 'eu-west'),
    notice('probe.back', 'rack-2', { effect: 'Kiel', downtime: 9 }),
  ];
  for (const notices of [[down], [up], [down, up], all, ...all.map((one) => [one])]) {
    const { text, html } = render(notices);
    expect(wordsOf.html(html)).toEqual(wordsOf.text(text));
  }
});

describe('names', () => {
  const NAME = `Shop\r\nBcc: all@example.com\u2028${'x'.repeat(300)}`;

  it('stay short and on one line, in subjects and in lists', () => {
    const down = notice('monitor.down', NAME, { error: `line one\nline two ${'e'.repeat(5000)}` });
    const one = render([down]);
    expect(one.subject).toMatch(/^Shop Bcc: all@example\.com x+… is down$/);
    expect(one.subject.length).toBeLessThan(115);
    expect(one.text).toMatch(/\nCause: line one line two e+…\n/);
    const many = render([down, notice('monitor.up', 'Blog')]);
    expect(many.text).toMatch(/^- Shop Bcc: all@example\.com x+…: line one line two e+…$/m);
  });

  it('are escaped', () => {
    const { html } = render([notice('monitor.down', '<b>Shop</b>', { error: '<script>alert(1)</script>' })]);
    expect(html).not.toMatch(/<b>|<script>/);
  });
});

describe('an email about a monitor that flaps', () => {
  const about = { monitor: { id: 'id_Shop', name: 'Shop' }, at: AT.toISOString(), key: 'flapping' };
  const began = { ...about, kind: 'began' as const };
  const ended = {
    ...about,
    kind: 'ended' as const,
    end: 'steady' as const,
    since: AT.toISOString(),
    down: { count: 7, ms: 720_000 },
    degraded: { count: 0, ms: 0 },
  };
  const flapping = notice('monitor.flapping', 'Shop', { error: 'timed out', flapping: began });
  const steady = notice('monitor.steady', 'Shop', { flapping: { ...ended, status: 'operational' } });

  it('states when the next one comes, and the last error', () => {
    const { subject, text } = render([flapping]);
    expect(subject).toBe('Shop is flapping');
    expect(
      text,
    ).toContain(`5 changes in the last 10 minutes. You get the next message once it has been steady for 10 minutes.

Error: timed out

Detected: 2026-03-01 12:00 UTC

View monitor:
https://pharos.test/monitors/id_Shop
`);
  });

  it('states how it ended, even if all of it is in one email', () => {
    const { subject, text } = render([notice('monitor.down', 'Shop'), flapping, steady]);
    expect(subject).toBe('Shop is steady again: operational since 2026-03-01 12:00 UTC');
    expect(text).toContain('\nIt was down 7 times, 12m in total.\n');
    expect(text).not.toContain('Error');
  });

  it('is that about an outage if the monitor is down', () => {
    const { subject, text } = render([
      notice('monitor.down', 'Shop', { flapping: { ...ended, status: 'down' } }),
    ]);
    expect(subject).toBe('Shop is down');
    expect(text).toContain('It was flapping before: down 7 times, 12m in total.');
  });

  it('lists several', () => {
    const { subject, text } = render([
      flapping,
      notice('monitor.steady', 'Blog', { flapping: { ...ended, status: 'operational' } }),
      notice('monitor.down', 'Wiki'),
    ]);
    expect(subject).toBe('3 monitors changed: 1 down, 1 flapping, 1 no longer flapping');
    expect(text).toContain('Flapping (1)');
    expect(text).toContain('is steady again: operational since 2026-03-01 12:00 UTC. It was down 7 times');
  });
});
