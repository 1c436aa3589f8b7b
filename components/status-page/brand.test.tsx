import { describe, expect, it } from 'vitest';
import { securityPolicy } from '@/app/status/documents';
import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import { MESSAGES } from './messages';
import { renderView } from './testing/render-view';
import { busyView } from './testing/sample-view';
import { pageCss } from './theme/page-css';

const LOGO = 'https://acme.test/logo.svg';
const DARK_LOGO = 'https://cdn.acme.test/dark.svg';
const [BOTH, LIGHT, DARK] = [
  { appearance: 'automatic' },
  { appearance: 'light' },
  { appearance: 'dark' },
] as const;

function render(brand: Partial<PageHead>, language?: Language): string {
  const view = busyView();
  return renderView({ ...view, page: { ...view.page, ...brand } }, language);
}

/** The sources of the pictures of a page. */
function sourcesOf(brand: Partial<PageHead>): string[] {
  return [...render(brand).matchAll(/(?:srcSet|<img src)="([^"]*)"/g)].map(([, url = '']) => url);
}

const UPLOADED = `/status/acme/images/${'0af9'.repeat(8)}-120x40.png`;

describe('an uploaded image', () => {
  it('is below the address of the page, in the space that it will take', () => {
    const html = render({ ...BOTH, logoUrl: UPLOADED, darkLogoUrl: UPLOADED.replace('120x40', '90x30') });
    expect(html).toContain(`<img src="${UPLOADED}" alt="" height="40" width="120"`);
    expect(html).toMatch(/<source srcSet="[^"]*-90x30\.png" width="90" height="30" media/);
    expect(html).not.toContain('https://pharos.example.com/status/acme/images');
    const onDomain = renderView({ ...busyView(), page: { ...busyView().page, logoUrl: UPLOADED } }, 'en', '');
    expect(onDomain).toContain(`<img src="${UPLOADED.replace('/status/acme', '')}"`);
    expect(render({ faviconUrl: UPLOADED })).toContain(`<link rel="icon" href="${UPLOADED}"/>`);
  });

  it('is allowed by the policy, as are others next to it', () => {
    const images = { logoUrl: UPLOADED, darkLogoUrl: DARK_LOGO, faviconUrl: UPLOADED };
    expect(securityPolicy({ css: '', images })).toContain("img-src data: 'self' https://cdn.acme.test;");
  });

  it.each([
    `https:${UPLOADED}`,
    `/status/acme/images/x.png`,
    UPLOADED.replace('png', 'svg'),
    `/evil${UPLOADED}`,
  ])('is nothing else: %s', (url) => {
    expect(render({ logoUrl: url })).not.toContain(`<img src="${UPLOADED}"`);
  });
});

describe('the logo', () => {
  it.each<[string, Partial<PageHead>, string[]]>([
    ['pages', { ...BOTH, logoUrl: LOGO, darkLogoUrl: DARK_LOGO }, [DARK_LOGO, LOGO]],
    ['pages without a dark one', { ...BOTH, logoUrl: LOGO }, [LOGO]],
    ['pages with only a dark one', { ...BOTH, darkLogoUrl: DARK_LOGO }, [DARK_LOGO]],
    ['pages that are always light', { ...LIGHT, logoUrl: LOGO, darkLogoUrl: DARK_LOGO }, [LOGO]],
    ['pages that are always dark', { ...DARK, logoUrl: LOGO, darkLogoUrl: DARK_LOGO }, [DARK_LOGO]],
    ['dark pages without a dark one', { ...DARK, logoUrl: LOGO }, [LOGO]],
  ])('of %s follows the color scheme', (_, brand, sources) => {
    expect(sourcesOf(brand)).toEqual(sources);
  });

  it('on dark backgrounds is neither printed nor shown to visitors who prefer light', () => {
    const html = render({ ...BOTH, logoUrl: LOGO, darkLogoUrl: `${DARK_LOGO}?a,b,` });
    expect(html).toContain(
      `<source srcSet="${DARK_LOGO}?a%2Cb%2C" media="screen and (prefers-color-scheme:dark)"/>`,
    );
  });

  it.each(['javascript:alert(1)', 'http://acme.test/a.svg', 'data:image/svg+xml,<svg/>'])(
    'on dark backgrounds and the favicon are not %s',
    (url) => {
      const html = render({ darkLogoUrl: url, faviconUrl: url });
      expect(html).not.toContain('<picture');
      expect(html).toContain('<link rel="icon" href="data:image/svg+xml,%3Csvg');
    },
  );
});

it('the policy allows the hosts of the images, each once, and nothing else', () => {
  const images = { logoUrl: LOGO, darkLogoUrl: DARK_LOGO, faviconUrl: 'https://acme.test/icon.png' };
  const policy = securityPolicy({ css: '', images });
  expect(policy).toContain('img-src data: https://acme.test https://cdn.acme.test;');
  expect(securityPolicy({ css: '', images: null })).toContain('img-src data:;');
});

it('the favicon is that of the owner', () => {
  expect(render({ faviconUrl: 'https://acme.test/i.png' })).toContain(
    '<link rel="icon" href="https://acme.test/i.png"/>',
  );
});

it('links are in the header or in the footer, in order, and only safe ones', () => {
  const html = render({
    links: [
      { label: 'Acme', url: 'https://acme.test/', place: 'header' },
      { label: 'Privacy <b>', url: 'https://acme.test/privacy?a&b', place: 'footer' },
      { label: 'Support', url: 'mailto:help@acme.test', place: 'footer' },
      { label: 'Evil', url: 'javascript:alert(1)', place: 'footer' },
    ],
  });
  const [, header = ''] = /<header>(.*?)<\/header>/s.exec(html) ?? [];
  const [, footer = ''] = /<footer>(.*?)<\/footer>/s.exec(html) ?? [];
  expect(header).toContain('<a href="https://acme.test/" rel="noopener">Acme</a>');
  expect(footer).toContain(
    '<a href="https://acme.test/privacy?a&amp;b" rel="noopener">Privacy &lt;b&gt;</a><a href="mailto:help@acme.test" rel="noopener">Support</a>',
  );
  expect(html).not.toContain('Evil');
});

it.each(LANGUAGES)('the way to subscribe is next to the brand, in %s, where there is one', (language) => {
  const { link } = MESSAGES[language].subscription;
  const html = renderView(busyView(), language);
  const [, header = '', rest = ''] = /<header>(.*?)<\/header>(.*)/s.exec(html) ?? [];
  expect(header).toContain(`href="/status/acme/subscribe">${link}</a></nav>`);
  expect(rest).not.toContain('/subscribe');
  expect(renderView(busyView(), language, '', false)).not.toContain(link);
});

it('a font is one that systems have: nothing is loaded', () => {
  const page = { theme: THEME_DEFAULTS, ...BOTH, customCss: null };
  expect(pageCss({ ...page, font: 'sans' }).css).not.toContain('font-family');
  for (const font of ['serif', 'mono'] as const) {
    const { css } = pageCss({ ...page, font });
    expect(css).toContain('body{font-family:ui-');
    expect(css).not.toMatch(/url|@font-face|@import/);
  }
});

it('custom CSS comes last, as it was read, and is left out if it is refused', () => {
  const page = { theme: THEME_DEFAULTS, ...BOTH, font: 'serif' } as const;
  const { css: without } = pageCss({ ...page, customCss: null });
  const source = '/* Ours */ .banner { border-radius: 0 }';
  expect(pageCss({ ...page, customCss: source }).css).toBe(`${without}.banner{border-radius:0}`);
  expect(pageCss({ ...page, customCss: 'a{background:url(x)}' }).css).toBe(without);
  const customCss = 'main > * { color: light-dark("<b>", red) }';
  const html = render({ customCss });
  expect(html).toContain('main>*{color:light-dark("<b>",red)}</style>');
});

it.each(LANGUAGES)('the footer names the service in %s, unless the owner removed it', (language) => {
  const text = MESSAGES[language].poweredBy.replace('{name}', 'Pharos');
  expect(render({}, language)).toContain(
    `<p class="by"><a href="https://pharos.example.com" rel="noopener">${text}</a></p>`,
  );
  expect(render({ poweredBy: false }, language)).not.toContain(text);
});

it('search engines are asked not to list the page only if its owner wants that', () => {
  const robots = '<meta name="robots" content="noindex"/>';
  expect(render({ noindex: true })).toContain(robots);
  expect(render({})).not.toContain(robots);
});

it('times are in the time zone of the page with UTC in their titles; without one they are in UTC', () => {
  const timeOf = (html: string) => /<time dateTime="([^"]*)"([^>]*)>([^<]*)</.exec(html)?.slice(1);
  expect(timeOf(render({}))?.slice(1)).toEqual(['', 'Mar 10, 2026, 12:00 UTC']);
  expect(timeOf(render({ timeZone: 'Asia/Tokyo' }))?.slice(1)).toEqual([
    ' title="Mar 10, 2026, 12:00 UTC"',
    'Mar 10, 2026, 21:00 GMT+9',
  ]);
  expect(timeOf(render({ timeZone: 'America/New_York' }, 'fr'))?.slice(1)).toEqual([
    ' title="10 mars 2026, 12:00 UTC"',
    '10 mars 2026, 08:00 UTC−4',
  ]);
  // Not every version of ICU knows every time zone that was stored.
  expect(timeOf(render({ timeZone: 'Mars/Olympus' }))).toEqual(timeOf(render({})));
});
