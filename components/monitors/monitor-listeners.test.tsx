import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ShownListener } from '@/components/notifications/listeners/listener-list';
import { MonitorListeners } from './monitor-listeners';

const PAGING: ShownListener = {
  type: 'webhook',
  id: 'whk_1',
  name: 'Paging',
  rules: [],
  notified: true,
  reason: 'everything',
  rule: null,
};
const ADA: ShownListener = {
  type: 'member',
  id: 'usr_1',
  name: 'ada@example.com',
  rules: [],
  notified: false,
  reason: 'alerts_off',
  rule: null,
};

const render = (listeners: ShownListener[]) =>
  renderToStaticMarkup(<MonitorListeners id="mon_1" listeners={listeners} />);

it('lists those who are notified, with links to where they are set up', () => {
  const html = render([PAGING, ADA]);
  expect(html).toContain('href="/notifications/whk_1"');
  expect(html).not.toContain('ada@example.com');
  expect(html).not.toContain('Nobody');
});

it.each([[[]], [[ADA]]])('warns that nobody is notified, and links to the settings', (listeners) => {
  const html = render(listeners);
  expect(html).toContain('Nobody is notified about this monitor.');
  expect(html).toContain('href="/notifications"');
});

it.each([
  ['held', 'Nobody is notified while a monitor that this one depends on is down.'],
  ['flapping', 'Nobody is notified of individual changes while this monitor is flapping.'],
  ['maintenance', 'Nobody is notified while this monitor is in maintenance.'],
  ['paused', 'Nobody is notified while this monitor is paused.'],
] as const)('does not warn if that is for a while: %s', (reason, text) => {
  const html = render([ADA, { ...PAGING, notified: false, reason }]);
  expect(html).toContain(text);
  expect(html).not.toContain('Set up notifications');
});
