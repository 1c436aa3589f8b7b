import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CANVAS } from './theme';

it('browsers draw the colors of the canvas around it', () => {
  const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8');
  expect(css).toContain(`--color-canvas: light-dark(${CANVAS.light}, ${CANVAS.dark});`);
});
