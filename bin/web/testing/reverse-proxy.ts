import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';

/** A reverse proxy on this machine, in front of a web process. */
export type ReverseProxy = { port: number; stop(): Promise<void> };

/** The supported proxies, by the name of their program. */
export type ProxyName = keyof typeof PROXIES;

type Ports = { port: number; upstream: number };

// Both forward bodies as they arrive, and reuse connections, as their documentation recommends.
const PROXIES = {
  caddy: {
    words: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
    configure: ({ port, upstream }: Ports) => `
{
  admin off
  auto_https off
  grace_period 1s
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${upstream}
}
`,
  },
  nginx: {
    words: (file: string) => ['-c', file, '-e', 'stderr', '-g', 'daemon off;'],
    configure: ({ port, upstream }: Ports, directory: string) => `
pid ${directory}/pid;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n  ')}
  client_max_body_size 16m;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream pharos { server 127.0.0.1:${upstream}; keepalive 8; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://pharos;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`,
  },
};

/** Whether a proxy's program is installed. */
export function isInstalled(name: ProxyName): boolean {
  return (
    spawnSync(name, [name === 'caddy' ? 'version' : '-v'], { env: childEnvironment(PATHS) }).status === 0
  );
}

// Debian installs nginx outside the PATH of ordinary users.
const PATHS = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Starts a proxy in front of the port `upstream` and resolves when it listens. */
export async function startReverseProxy(name: ProxyName, upstream: number): Promise<ReverseProxy> {
  const directory = await mkdtemp(join(tmpdir(), `pharos-${name}-`));
  const port = await findFreePort();
  const file = join(directory, 'config');
  const { words, configure } = PROXIES[name];
  await writeFile(file, configure({ port, upstream }, directory));
  const child = spawn(name, words(file), {
    env: childEnvironment({
      ...PATHS,
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      XDG_DATA_HOME: directory,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended; it wrote:\n${output}`);
    await sleep(20);
  }
  return {
    port,
    stop: async () => {
      process.off('exit', killAtExit);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}
