import { describe, expect, it } from 'vitest';
import { sampleView } from '@/components/status-page/testing/sample-view';
import { translatorOf } from '@/components/status-page/translator';
import { drawPreview } from './draw-preview';

async function draw(changes: object, scheme: 'light' | 'dark' = 'light') {
  const view = sampleView(3);
  const page = { ...view.page, ...changes };
  const t = translatorOf('en');
  const { html, policy } = await drawPreview({ ...view, page }, { scheme, canSubscribe: false, t });
  return { html: new TextDecoder().decode(html), policy };
}

describe('drawPreview', () => {
  it('contains no scripts, and its policy forbids scripts and forms', async () => {
    const { html, policy } = await draw({ name: '<script>alert(1)</script>' });
    expect(html).not.toContain('<script');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(policy).toContain("form-action 'none'");
    expect(policy).toMatch(/; sandbox allow-same-origin$/);
    expect(policy).not.toMatch(/script-src|unsafe|allow-scripts/);
  });

  it('can be framed only by Pharos', async () => {
    expect((await draw({})).policy).toContain("frame-ancestors 'self';");
  });

  it('may load a valid logo from its host, and no other images', async () => {
    const shown = await draw({ logoUrl: 'https://acme.test/a.svg' });
    expect(shown.policy).toContain('img-src data: https://acme.test;');
    const refused = await draw({ logoUrl: 'http://acme.test/a.svg' });
    expect(refused.policy).toContain('img-src data:;');
  });

  it('uses the chosen color scheme, not that of the browser', async () => {
    const [light, dark] = [
      await draw({ appearance: 'automatic' }),
      await draw({ appearance: 'automatic' }, 'dark'),
    ];
    expect(light.html).toContain('color-scheme:light');
    expect(dark.html).toContain('color-scheme:dark');
    for (const { html } of [light, dark]) expect(html).not.toContain('prefers-color-scheme');
  });

  it('is as the page says, whatever the visitor prefers', async () => {
    expect((await draw({ appearance: 'dark' }, 'light')).html).toContain('color-scheme:dark');
    expect((await draw({ appearance: 'light' }, 'dark')).html).toContain('color-scheme:light');
  });
});
