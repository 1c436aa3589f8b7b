import type { ClientRequest } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { Agent, type AgentConnectOpts } from 'agent-base';

/** A response of a provider is a few kilobytes; groups can make it longer. */
const MAX_BYTES = 1024 * 1024;
/** For one request, from the connection on. */
const DEADLINE_MS = 10_000;

/**
 * Connects to providers, once per request. A provider that sends without end, too slowly, or too much is cut off: next-auth only
 * limits how long it is silent.
 */
class ProviderAgent extends Agent {
  override connect(_: ClientRequest, options: AgentConnectOpts): net.Socket {
    const socket = options.secureEndpoint ? tls.connect(options) : net.connect(options);
    const cut = (reason: string) => socket.destroy(Object.assign(new Error(reason), { code: 'ETIMEDOUT' }));
    const deadline = setTimeout(cut, DEADLINE_MS, 'the provider took too long');
    socket.once('close', () => clearTimeout(deadline));
    socket.on('data', () => {
      if (socket.bytesRead > MAX_BYTES) cut('the response of the provider is too long');
    });
    return socket;
  }
}

/** How next-auth sends requests to providers; `timeout` is for silence, in milliseconds. */
export const PROVIDER_HTTP_OPTIONS = { timeout: 5000, agent: new ProviderAgent({ keepAlive: false }) };
