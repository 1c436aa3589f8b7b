/** Characters that XML 1.0 does not allow: control characters, surrogates, and two non-characters. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text without the characters that make an XML document invalid. */
export function printable(text: string): string {
  return text.replace(NOT_IN_XML, '');
}

/** Escapes a text for HTML and XML content and quoted attributes. */
export function escapeMarkup(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
