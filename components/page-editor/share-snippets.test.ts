import { expect, it } from 'vitest';
import { badgeMarkup } from './share-snippets';

const PAGE = {
  address: 'https://pharos.example/status/acme',
  name: 'Acme',
  monitors: [{ id: 'mon_1', name: 'Shop "A" [x] & <b>' }],
};

it('links the badge of a page to the page', () => {
  expect(badgeMarkup({ ...PAGE, shown: 'page' })).toMatchObject({
    markdown:
      '[![Status of Acme](https://pharos.example/status/acme/badge.svg)](https://pharos.example/status/acme)',
    html: '<a href="https://pharos.example/status/acme"><img src="https://pharos.example/status/acme/badge.svg" alt="Status of Acme"></a>',
  });
});

it('escapes the name of a monitor in its badge', () => {
  const { markdown, html } = badgeMarkup({ ...PAGE, shown: 'mon_1 uptime' });
  expect(markdown).toContain('![Status of Shop "A" \\[x\\] & <b>]');
  expect(markdown).toContain('badge.svg?monitor=mon_1&show=uptime)');
  expect(html).toContain('alt="Status of Shop &quot;A&quot; [x] &amp; &lt;b&gt;"');
  expect(html).toContain('badge.svg?monitor=mon_1&amp;show=uptime"');
});

it('offers the status and uptime of every monitor', () => {
  expect(badgeMarkup({ ...PAGE, shown: 'page' }).choices.map(({ value }) => value)).toEqual([
    'page',
    'mon_1',
    'mon_1 uptime',
  ]);
});
