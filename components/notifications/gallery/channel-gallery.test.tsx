import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { channelChoices } from '@/app/(dashboard)/notifications/channel-choices';
import { WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import { formatRefused } from '../unsaved-test';
import { ChannelGallery, findChannels } from './channel-gallery';

const CHOICES = channelChoices();

it('shows every format in its group, with a link to its form', () => {
  const html = renderToStaticMarkup(<ChannelGallery choices={CHOICES} />);
  const titles = [...html.matchAll(/<section[^>]* aria-label="([^"]+)"/g)].map(([, title]) => title);
  expect(titles).toEqual(['Email', 'Chat', 'On-call', 'Push', 'Your own program']);
  expect(html).toContain('href="/notifications/email/new"');
  for (const name of WEBHOOK_FORMATS) expect(html).toContain(`href="/notifications/new/${name}"`);
});

it.each([
  ['slack', ['Slack']],
  [' PUSH ', ['ntfy', 'Pushover']],
  ['google chat', ['Google Chat']],
  ['webhook json', ['Standard']],
  ['fax', []],
])('finds %j by name, description and group', (search, labels) => {
  expect(findChannels(CHOICES, search).map(({ label }) => label)).toEqual(labels);
});

it('names the fields of a refused test as the form does', () => {
  const message = 'The request is not valid: url, credentials.token.';
  const errors = { url: 'must be a URL', 'credentials.token': 'is required' };
  const labels = { url: 'URL', 'credentials.token': 'Bot token' };
  expect(formatRefused({ message, errors }, labels)).toBe('URL must be a URL. Bot token is required.');
  expect(formatRefused({ message: 'Too many requests.', errors: {} }, labels)).toBe('Too many requests.');
});
