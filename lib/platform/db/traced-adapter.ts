import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import { type SpanOptions, traced } from '@/lib/core/calls/traced';

/** The methods of adapters and transactions that send a statement. */
const STATEMENTS = ['queryRaw', 'executeRaw'];
/** The methods whose result has such methods, too. */
const OPENS = ['connect', 'startTransaction'];
const MAX_TEXT = 2000;

/** The adapter with a span for each statement: with its text, but never with its values, which are apart from it. */
export function traceAdapter<T extends SqlDriverAdapterFactory>(adapter: T): T {
  return traceMethods(adapter);
}

function traceMethods<T extends object>(target: T): T {
  return new Proxy(target, {
    get(_, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      if (STATEMENTS.includes(String(property))) {
        return (statement: { sql: string }) =>
          traced(nameOf(statement.sql), optionsOf(statement.sql), () => member.call(target, statement));
      }
      if (OPENS.includes(String(property))) {
        return async (...args: unknown[]) => traceMethods(await member.apply(target, args));
      }
      return member.bind(target);
    },
  });
}

function nameOf(sql: string): string {
  return /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';
}

function optionsOf(sql: string): SpanOptions {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, MAX_TEXT) };
  return { attributes, isCall: true, isPart: true };
}
