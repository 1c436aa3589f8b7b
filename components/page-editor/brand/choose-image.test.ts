import { expect, it } from 'vitest';
import { pngImage } from '@/lib/core/images/testing/samples';
import { contentOfChosen, isChosenImage } from '@/lib/schemas/status-pages/chosen-image';
import { chooseImage } from './choose-image';

const PNG = pngImage({ width: 300, height: 200, color: [1, 2, 3] });

it('a chosen file is its content with the type that its bytes have, and comes back whole', async () => {
  const chosen = await chooseImage(new Blob([PNG], { type: 'image/svg+xml' }));
  if ('problem' in chosen) throw new Error(chosen.problem);
  expect(chosen.value).toMatch(/^data:image\/png;base64,/);
  expect(isChosenImage(chosen.value)).toBe(true);
  expect(Buffer.from(contentOfChosen(chosen.value) ?? '', 'base64').equals(PNG)).toBe(true);
});

it('a file that the service would refuse is refused with the same sentence, a large one without reading it', async () => {
  expect(
    await chooseImage(new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/png' })),
  ).toEqual(expect.objectContaining({ problem: expect.stringMatching(/^is an SVG/) }));
  const large = Object.defineProperties(new Blob([]), {
    size: { value: 3e9 },
    arrayBuffer: { value: () => Promise.reject(new Error('it was read')) },
  });
  expect(await chooseImage(large)).toEqual({
    problem: expect.stringMatching(/^is larger than 256 KiB/),
  });
});

it.each([
  'https://acme.test/logo.png',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:image/png,x',
  `data:image/png;base64,${'A'.repeat(400_000)}`,
])('nothing else has a content: %.40s', (value) => {
  expect(contentOfChosen(value)).toBeNull();
});
