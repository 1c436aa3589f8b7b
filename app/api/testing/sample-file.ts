import { pngImage } from '@/lib/core/images/testing/samples';

/** A file that operations take whose body is one, and how it is declared. */
export const SAMPLE_FILE = {
  body: pngImage({ width: 64, height: 32 }),
  headers: { 'Content-Type': 'image/png' },
};
