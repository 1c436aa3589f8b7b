// The targets of the benchmark: HTTP, HTTPS and DNS servers that respond at once. Reports their ports to its parent.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { listen } from '../script.mjs';

/** @type {import('node:http').RequestListener} */
const respond = (request, response) => {
  if (request.url === '/moved') return void response.writeHead(301, { location: '/' }).end();
  response.end('everything is well\n');
};

// The name of the first question, type A, class IN, 60 seconds, 127.0.0.1.
const ANSWER = Buffer.from('c00c000100010000003c00047f000001', 'hex');
const dns = createSocket('udp4');
dns.on('message', (query, { port, address }) => {
  query.writeUInt16BE(0x8180, 2);
  query.writeUInt16BE(1, 6);
  dns.send([query, ANSWER], port, address);
});
dns.bind(0, '127.0.0.1');
await once(dns, 'listening');

const pem = readFileSync(join('lib', 'platform', 'net', 'testing', 'good.pem'));
process.send?.({
  http: await listen(createServer(respond)),
  https: await listen(createTlsServer({ key: pem, cert: pem }, respond)),
  dns: dns.address().port,
  hanging: await listen(createTcpServer((socket) => socket.on('error', () => undefined).resume())),
});
