import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FirstSteps } from './first-steps';

const steps = { monitor: true, channel: false, test: false, page: false, colleague: false };
const links = { channel: '/notifications/new', page: '/status-pages/new' };

it('links to what is left to do, for those who may do it, and says that nobody is notified', () => {
  const html = renderToStaticMarkup(<FirstSteps steps={steps} links={links} />);
  expect(html).toContain('1 of 5 done');
  expect(html).toContain('Nobody is notified yet.');
  expect(html).toContain('href="/notifications/new"');
  expect(html).not.toContain('/settings/members');
  expect(html).not.toContain('Dismiss');
  expect(html.match(/aria-label="Done"/g)).toHaveLength(1);
});

it('says nothing about notifications once there is a channel', () => {
  const html = renderToStaticMarkup(<FirstSteps steps={{ ...steps, channel: true }} links={links} />);
  expect(html).not.toContain('Nobody is notified');
  expect(html).not.toContain('href="/notifications/new"');
});
