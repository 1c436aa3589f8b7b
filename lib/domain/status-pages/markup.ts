/** What XML 1.0 does not take in any form: control characters, halves of characters, and two non-characters. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text without the characters that XML refuses; a document that holds one cannot be read at all. */
export function printable(text: string): string {
  return text.replace(NOT_IN_XML, '');
}

/** A text as HTML or XML shows it, in content and in quoted attributes alike. */
export function escapeMarkup(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
