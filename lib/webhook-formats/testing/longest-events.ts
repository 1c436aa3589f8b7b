import { createEvents } from '@/lib/domain/webhooks/formats/sample-events';

/** Characters that grow when they are escaped, mean something in a product, or take many bytes. */
export const WIDE = ['x', '&', '*', '@', '"', '\\', '語', '🔥', 'a\n'];

/** One event of each kind, whose texts repeat a character to their maximum length. */
export function createLongestEvents(character: string) {
  const long = (length: number) => character.repeat(Math.ceil(length / character.length)).slice(0, length);
  return createEvents({
    name: long(100),
    url: `http://shop.test/${long(2000)}`,
    errorMessage: long(5000),
    title: long(200),
    description: long(5000),
    message: long(5000),
    by: long(300),
  });
}
