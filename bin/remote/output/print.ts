/** Prints a value as indented JSON on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Shows on a terminal how many of `total` are done while `work` runs. */
export async function withProgress<Result>(
  total: number,
  work: (onDone: (done: number) => void) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  const result = await work((done) => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${total}\x1b[K`);
  });
  if (stderr.isTTY) stderr.write('\r\x1b[K');
  return result;
}
