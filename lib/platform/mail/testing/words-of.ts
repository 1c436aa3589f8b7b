const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const URL_PATTERN = /https?:\/\/\S+/g;

/** What a reader gets from a body: its words in order, and the addresses it links, without layout. */
function toWords(text: string, urls: readonly string[]) {
  const words = text.split(/[\s:-]+/).filter(Boolean);
  return { words, urls };
}

/** The words and addresses of the two bodies of a mail, to compare them. */
export const wordsOf = {
  text: (text: string) => toWords(text.replace(URL_PATTERN, ' '), text.match(URL_PATTERN) ?? []),
  html: (html: string) => {
    const body = html.slice(html.indexOf('<body')).replace(/<div style="display:none.*?<\/div>/s, '');
    const urls = [...body.matchAll(/https?:\/\/[^\s"<]+/g)].map(([url]) => decode(url));
    const visible = body.replace(/<(br|\/?p|\/?li|\/?h\d)\b[^>]*>/g, ' ').replace(/<[^>]*>/g, '');
    return toWords(decode(visible).replace(URL_PATTERN, ' '), urls);
  },
};

function decode(html: string): string {
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
