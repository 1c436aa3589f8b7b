import { TextLink } from '@/components/ui/text-link';
import { getEnvironment } from '@/lib/env';
import { createReleaseReader, type Release } from '@/lib/platform/net/operator/latest-release';
import { getWeb } from '@/lib/web/http/server-services';
import { version } from '@/package.json';

let readRelease: (() => Promise<Release | null>) | null = null;

/** Which version runs and, if RELEASES_URL is set, whether there is a newer one. */
export async function VersionNote() {
  const { SERVICE_NAME: name } = getEnvironment();
  const release = await getReader()();
  return (
    <>
      {name} {version}
      {release === null ? null : (
        <>
          {' · '}
          {release.url === null ? (
            `Version ${release.version} is available`
          ) : (
            <TextLink isAlone href={release.url}>
              Version {release.version} is available
            </TextLink>
          )}
        </>
      )}
    </>
  );
}

/** One for this process: the URL is read once a day. */
function getReader(): () => Promise<Release | null> {
  const { RELEASES_URL: url, SERVICE_NAME: userAgent } = getEnvironment();
  if (url === undefined) return async () => null;
  const { log } = getWeb();
  readRelease ??= createReleaseReader({
    url,
    current: version,
    userAgent,
    onProblem: (reason) => log.warn({ host: new URL(url).host, reason }, `RELEASES_URL: ${reason}`),
  });
  return readRelease;
}
