import { expect, it } from 'vitest';
import { z } from 'zod';
import { brandFields, isLinkUrl } from './brand';
import { MAX_LINKS } from './brand-limits';

it.each([
  'https://acme.test',
  'https://acme.test/support?from=status#contact',
  'HTTPS://ACME.TEST/',
  'mailto:help@acme.test',
  'mailto:help@acme.test?subject=Status%20page',
])('a page may link to %s', (url) => {
  expect(isLinkUrl(url)).toBe(true);
});

it.each([
  'http://acme.test',
  '//acme.test',
  '/support',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://me:pw@acme.test/',
  'https://',
  'https://acme.test/ two',
  'mailto:',
  'mailto:help',
  'mailto:a@b.test,c@d.test e',
  'tel:+491234',
  '\tjavascript:alert(1)',
])('a page may not link to %s', (url) => {
  expect(isLinkUrl(url)).toBe(false);
});

it('links are bounded, trimmed, and in the footer unless they name a place', () => {
  const schema = z.object({ links: brandFields.links });
  const link = { label: ' Support ', url: ' https://acme.test/ ' };
  const shown = { label: 'Support', url: 'https://acme.test/', place: 'footer' };
  expect(schema.parse({ links: [link] }).links).toEqual([shown]);
  const many = Array.from({ length: MAX_LINKS }, () => link);
  expect(schema.safeParse({ links: many }).success).toBe(true);
  expect(schema.safeParse({ links: [...many, link] }).success).toBe(false);
  expect(schema.safeParse({ links: [{ ...link, label: 'x'.repeat(41) }] }).success).toBe(false);
});
