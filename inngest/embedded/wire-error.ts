import { isRecord } from './key-expression';

/** An error as the SDK writes it on the wire, whatever was thrown. */
export function toWireError(error: unknown): { name: string; message: string; stack: string } {
  const fields = isRecord(error) ? error : { message: error };
  return {
    name: textOr(fields.name, 'Error'),
    message: textOr(fields.message ?? fields.error, 'Unknown error'),
    stack: textOr(fields.stack, ''),
  };
}

/**
 * The error that the SDK wrote on the wire, for logs: name, message and stack as they were where it was
 * thrown.
 */
export function fromWireError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { name, message, stack } = toWireError(error);
  return Object.assign(new Error(message), { name, stack });
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
