// The parts of css-tree that are used here; the whole has the syntax of every property.
declare module 'css-tree/parser' {
  const parse: typeof import('css-tree').parse;
  export default parse;
}
declare module 'css-tree/generator' {
  const generate: typeof import('css-tree').generate;
  export default generate;
}
declare module 'css-tree/walker' {
  const walk: typeof import('css-tree').walk;
  export default walk;
}

declare module 'css-tree/tokenizer' {
  export const tokenTypes: Record<
    | 'Function'
    | 'LeftParenthesis'
    | 'RightParenthesis'
    | 'LeftSquareBracket'
    | 'RightSquareBracket'
    | 'LeftCurlyBracket'
    | 'RightCurlyBracket',
    number
  >;
  export function tokenize(source: string, onToken: (type: number) => void): void;
}
