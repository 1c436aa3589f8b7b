'use client';

import { TitledCode } from '@/components/ui/code-block';
import { ShownOnce } from '@/components/ui/shown-once';
import { TextLink } from '@/components/ui/text-link';

/** A newly created token. */
export type ShownToken = { name: string; token: string; baseUrl: string };

/** A new token, and the commands that start a probe with it. */
export function NewProbeToken({ name, token, baseUrl }: ShownToken) {
  return (
    <ShownOnce title={`New token “${name}”`} level="h3" text={token} copyLabel="Copy the token">
      <TitledCode
        title="Start a probe where the package @pharos/probe is installed:"
        text={`pharos-probe --url ${baseUrl} --token ${token}`}
        label="Copy the command"
      />
      <TitledCode
        title="Or as a container:"
        text={`docker run --detach --restart unless-stopped -e PHAROS_URL=${baseUrl} -e PHAROS_PROBE_TOKEN=${token} pharos-probe`}
        label="Copy the command for a container"
      />
      <p className="text-muted">
        For a service of systemd, put both into{' '}
        <code className="font-mono text-xs">/etc/pharos-probe.env</code>.{' '}
        <TextLink isAlone href="/docs/regions#running-a-probe">
          How to install a probe
        </TextLink>
      </p>
    </ShownOnce>
  );
}
