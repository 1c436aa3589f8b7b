/** The arguments of a log call by the Inngest SDK, as fields and a message. */
export function readSdkLog([first, ...more]: unknown[]): [fields: object, message: string] {
  const words = [first, ...more].filter((part) => typeof part === 'string').join(' ');
  return [typeof first === 'object' && first !== null ? first : {}, `Inngest SDK: ${words}`];
}
