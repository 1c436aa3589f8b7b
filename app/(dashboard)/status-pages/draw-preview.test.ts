import { describe, expect, it } from 'vitest';
import { sampleView } from '@/components/status-page/testing/sample-view';
import { translatorOf } from '@/components/status-page/translator';
import { drawPreview } from './draw-preview';

const LIGHT = { primaryColor: '#15803d', backgroundColor: '#ffffff', textColor: '#18181b' };
const t = translatorOf('en');

function viewWith(changes: object) {
  const view = sampleView(3);
  return { ...view, page: { ...view.page, ...changes } };
}

describe('the preview of a page', () => {
  it('runs and sends nothing: it has no script, and a policy of its own that forbids them', async () => {
    const html = await drawPreview(viewWith({ name: '<script>alert(1)</script>' }), 'light', t);
    expect(html).not.toContain('<script');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  it('may load the logo from its own host, and nothing where that is none', async () => {
    const shown = await drawPreview(viewWith({ logoUrl: 'https://acme.test/a.svg' }), 'light', t);
    expect(shown).toContain('img-src data: https://acme.test;');
    const refused = await drawPreview(viewWith({ logoUrl: 'http://acme.test/a.svg' }), 'light', t);
    expect(refused).toContain('img-src data:;');
  });

  it('has the colours of a visitor who wishes light or dark, whatever this browser wishes', async () => {
    const view = viewWith({ theme: LIGHT });
    const [light, dark] = [await drawPreview(view, 'light', t), await drawPreview(view, 'dark', t)];
    expect(light).toContain('color-scheme:light');
    expect(dark).toContain('color-scheme:dark');
    for (const html of [light, dark]) expect(html).not.toContain('prefers-color-scheme');
  });

  it('is dark for everybody where the background is', async () => {
    const view = viewWith({ theme: { ...LIGHT, backgroundColor: '#000000', textColor: '#ffffff' } });
    expect(await drawPreview(view, 'light', t)).toContain('color-scheme:dark');
  });
});
