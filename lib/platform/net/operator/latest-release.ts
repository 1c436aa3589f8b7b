import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { callOperatorUrl } from './call-operator-url';

/** A release that is newer than the version that runs. `url` describes it, if that is known. */
export type Release = { version: string; url: string | null };

export type ReleaseSource = {
  /** RELEASES_URL: the latest release as the APIs of GitHub, GitLab, Gitea and Forgejo return it. */
  url: string;
  /** The version that runs. */
  current: string;
  userAgent: string;
  /** Called with the reason when the release cannot be read. */
  onProblem: (reason: string) => void;
};

const DAY_MS = 86_400_000;
/** After a failure; a page must not wait for it each time it is opened. */
const RETRY_MS = 3_600_000;
const DEADLINE_MS = 5000;
/** Descriptions of releases are long. */
const MAX_BODY_BYTES = 1024 * 1024;

const releaseSchema = z.object({
  tag_name: z.string().transform((tag) => tag.replace(/^v/, '')),
  html_url: z.url({ protocol: /^https?$/ }).nullish(),
});
const RELEASED = /^\d+\.\d+\.\d+$/;

/** Compares `0.10.0` with `0.9.1` by its numbers. */
const byNumbers = new Intl.Collator('en', { numeric: true });

/**
 * Returns a function that resolves to the latest release if it is newer than what runs, or to null. It reads the URL once a
 * day, an hour after a failure, and never rejects. Prereleases are ignored.
 */
export function createReleaseReader({
  url,
  current,
  userAgent,
  onProblem,
}: ReleaseSource): () => Promise<Release | null> {
  const read = async (): Promise<{ release: Release | null; ttl: number }> => {
    const headers = { accept: 'application/json', 'user-agent': userAgent };
    const called = await callOperatorUrl(url, {
      deadline: DEADLINE_MS,
      headers,
      maxBodyBytes: MAX_BODY_BYTES,
    });
    const found = 'problem' in called ? called : parseRelease(called);
    if ('problem' in found) {
      onProblem(found.problem);
      return { release: null, ttl: RETRY_MS };
    }
    const isNewer = RELEASED.test(found.version) && byNumbers.compare(found.version, current) > 0;
    return { release: isNewer ? found : null, ttl: DAY_MS };
  };
  const cache = new LRUCache<'latest', { release: Release | null }>({
    max: 1,
    ttl: DAY_MS,
    fetchMethod: async (_key, _stale, { options }) => {
      const { release, ttl } = await read();
      options.ttl = ttl;
      return { release };
    },
  });
  return async () => (await cache.fetch('latest'))?.release ?? null;
}

function parseRelease({
  statusCode,
  body,
}: {
  statusCode: number;
  body: Buffer;
}): Release | { problem: string } {
  if (statusCode !== 200) return { problem: `responded with ${statusCode}, expected 200` };
  try {
    const { tag_name: version, html_url: url = null } = releaseSchema.parse(
      JSON.parse(body.toString('utf8')),
    );
    return { version, url };
  } catch {
    return { problem: 'did not respond with a release: expected JSON with tag_name' };
  }
}
