import { expect, it } from 'vitest';
import { HOSTILE_TEXT } from '@/lib/domain/status-pages/testing/hostile-text';
import { parseXml } from '@/lib/domain/status-pages/testing/xml';
import { type EmbedSource, writeEmbed } from './badge';

const source = (fields: Partial<EmbedSource> = {}): EmbedSource => ({
  name: 'Acme',
  colors: ':root{--bg:#101010;--ink:#fafafa}',
  state: 'degraded',
  address: 'https://status.acme.test',
  ...fields,
});

it('is a link to the page with its status, in the colors of the page', () => {
  const { html, style } = writeEmbed(source());
  expect(html).toContain('<title>Acme: Degraded performance</title>');
  expect(html).toContain('<a href="https://status.acme.test" target="_blank" rel="noopener">');
  expect(html).toContain('<strong>Acme</strong> Degraded performance');
  expect(html).toContain(`<style>${style}</style>`);
  expect(style).toMatch(/^:root\{--bg:#101010;--ink:#fafafa\}/);
  expect(style).toContain('background:var(--bg);color:var(--ink)');
});

it('shows foreign text unchanged without running anything', () => {
  const { html } = writeEmbed(source({ name: HOSTILE_TEXT }));
  // Our HTML is well-formed XML, except for the doctype and void elements.
  const wellFormed = html.replace('<!doctype html>', '').replace(/<meta([^>]*)>/g, '<meta$1/>');
  parseXml(wellFormed);
  const tags = [...html.matchAll(/<([a-z]+)/g)].map(([, tag]) => tag);
  expect(new Set(tags)).toEqual(
    new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'a', 'i', 'span', 'strong']),
  );
});
