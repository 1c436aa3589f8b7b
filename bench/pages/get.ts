import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

/** An answer as it came over the wire. */
export type Answer = { status: number; rawHeaders: string[]; headers: IncomingHttpHeaders; body: Buffer };

/** Sends one GET with these headers and no others (`fetch` would set Host, and unpack). */
export function get(url: string, headers: Record<string, string> = {}, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers, ...(agent ? { agent } : {}) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, rawHeaders, headers: own } = response;
        resolve({ status, rawHeaders, headers: own, body: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });
}
