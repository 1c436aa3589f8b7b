import stringWidth from 'string-width';

/** Rows under a heading, in aligned columns separated by two spaces; without the heading if there are none. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [heading, ...rows.map((row) => row.map(cleanText))];
  const widths = heading.map((_, column) =>
    Math.max(...lines.map((line) => stringWidth(line[column] ?? ''))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Text from elsewhere for a terminal, in which a name must not move the cursor or break the line. */
export function cleanText(text: string): string {
  return text.replace(/\p{Cc}/gu, '�');
}
