import { describeError } from '@/lib/core/errors';
import { requestGuarded } from '@/lib/platform/net/http-request';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

/** What the operator has set can be on the internal network. */
const POLICY: TargetPolicy = { mode: 'private', allowedCidrs: [] };
/** The response is not read. */
const MAX_BODY_BYTES = 4096;

/**
 * Calls a URL from a setting of the operator with GET, for at most `deadline` milliseconds. Returns its status, redirects
 * included, or the problem if there was no response. Never throws for what the network does.
 */
export async function callOperatorUrl(
  url: string,
  { deadline, headers }: { deadline: number; headers?: Record<string, string> },
): Promise<{ statusCode: number } | { problem: string }> {
  try {
    const { statusCode } = await requestGuarded({
      ...{ url, method: 'GET', headers },
      ...{ policy: POLICY, deadline, maxBodyBytes: MAX_BODY_BYTES },
    });
    return { statusCode };
  } catch (error) {
    return { problem: describeError(error) };
  }
}
