import { describeError } from '@/lib/core/errors';
import { requestGuarded } from '@/lib/platform/net/http-request';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

/** What the operator has set can be on the internal network. */
const POLICY: TargetPolicy = { mode: 'private', allowedCidrs: [] };
/** Most callers need only the status. */
const MAX_BODY_BYTES = 4096;

type Options = {
  /** Milliseconds for the whole call. */
  deadline: number;
  headers?: Record<string, string>;
  maxBodyBytes?: number;
};

/**
 * Calls a URL from a setting of the operator with GET. Returns its status, redirects included, with the beginning of the body,
 * or the problem if there was no response. Never throws for what the network does.
 */
export async function callOperatorUrl(
  url: string,
  { maxBodyBytes = MAX_BODY_BYTES, deadline, headers }: Options,
): Promise<{ statusCode: number; body: Buffer } | { problem: string }> {
  try {
    const { statusCode, body } = await requestGuarded({
      url,
      method: 'GET',
      headers,
      policy: POLICY,
      deadline,
      maxBodyBytes,
    });
    return { statusCode, body };
  } catch (error) {
    return { problem: describeError(error) };
  }
}
