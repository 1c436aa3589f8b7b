import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { StartupError } from '@/lib/core/errors';

/** Whether somebody can answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true;
}

/** Asks on the terminal. A secret is not shown while it is typed. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  let isMuted = false;
  const output = new Writable({
    write: (chunk, _, done) => {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  // Ctrl+C and Ctrl+D: without an answer, nothing happens.
  let refuse = () => {};
  const closed = new Promise<never>((_, reject) => {
    refuse = () => reject(new StartupError('\nnothing was done'));
  });
  prompt.once('close', refuse);
  try {
    const answer = prompt.question(question);
    isMuted = isSecret;
    return (await Promise.race([answer, closed])).trim();
  } finally {
    prompt.off('close', refuse);
    prompt.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Asks whether to go on. Throws a StartupError with `instead` if nobody can answer, and if the answer is not yes. */
export async function confirm(question: string, instead: string): Promise<void> {
  if (!canAsk()) throw new StartupError(instead);
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new StartupError('nothing was done');
}
