import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renderView } from './testing/render-view';
import { sampleIncident, sampleSections } from './testing/sample-view';

const sectionOf = (html: string, anchor: string) =>
  html.match(new RegExp(`<(details|section) id="${anchor}".*?</\\1>`))?.[0] ?? '';

describe('a page with sections', () => {
  it('shows each with its name, description, state and rows, and has an anchor for it', () => {
    const html = renderView(sampleSections(4, 2));
    const first = sectionOf(html, 'section-section-1');
    expect(first).toMatch(/<h3>Section 1<\/h3><span class="state good">.*?Operational<\/span>/);
    expect(first).toContain('<p>What it is for</p>');
    expect(first.match(/<h4>/g)).toHaveLength(3);
    expect(html.match(/<li id="m\d"/g)).toEqual(['<li id="m0"', '<li id="m1"', '<li id="m2"', '<li id="m3"']);
  });

  it('folds a collapsed section while all of it is well, and opens it otherwise', () => {
    const view = sampleSections(4, 2);
    const [first, second] = view.sections;
    if (first && second) Object.assign(second, { collapsed: true });
    const folded = sectionOf(renderView(view), 'section-section-2');
    expect(folded).toMatch(/^<details id="section-section-2" class="group"><summary/);
    const [, , down] = view.monitors;
    if (down) down.status = 'down';
    expect(sectionOf(renderView(view), 'section-section-2')).toMatch(
      /^<details id="section-section-2" class="group" open=""/,
    );
    expect(sectionOf(renderView(view), 'section-section-1')).toMatch(/^<section/);
  });

  it('shows a component in the state of its incidents, and names it there', () => {
    const view = sampleSections(2, 1);
    const incidents = [
      sampleIncident({ affectedMonitors: [], affectedComponents: ['cmp_1'], severity: 'critical' }),
    ];
    const html = renderView({ ...view, incidents });
    expect(html).toMatch(/<h4>Component 1<\/h4><span class="state bad">.*?Major outage<\/span>/);
    expect(html).toContain('Affects Component 1');
  });

  it('of 40 monitors in 6 sections is smaller than 20 KB, compressed', () => {
    const html = renderView(sampleSections(40, 6));
    expect(html.match(/class="group"/g)).toHaveLength(6);
    expect(gzipSync(html, { level: 6 }).length).toBeLessThan(20_000);
  });
});
