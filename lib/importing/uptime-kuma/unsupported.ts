import type { SpokenProtocol } from '@/lib/checks/tcp/protocols';
import { BROWSER, CLIENT_CERTIFICATE, DIGEST, OAUTH, UDP } from '../plan/reasons';

/** Why monitors of a type cannot be imported, whatever their settings. */
export const UNSUPPORTED_TYPES: Partial<Record<string, string>> = {
  group:
    'Groups are not imported. Its name becomes a tag of each monitor in it. Create a group of these in Pharos.',
  manual: 'Its status is set by hand, so there is nothing to check.',
  docker: "Docker containers are not supported. Monitor the service's port or URL instead.",
  pm2: "PM2 processes are not supported. Monitor the service's port or URL instead.",
  'system-service': "System services are not supported. Monitor the service's port or URL instead.",
  'real-browser': BROWSER,
  radius: UDP,
  snmp: UDP,
  ntp: UDP,
  steam: UDP,
  gamedig: UDP,
  'sip-options': 'SIP is not supported. If the server accepts TCP, monitor its port.',
  'tailscale-ping':
    'Tailscale ping is not supported. If a worker of Pharos is in the tailnet, monitor the host with ping.',
};

/** Sign-in methods that monitors cannot be imported with. */
export const UNSUPPORTED_AUTH: Partial<Record<string, string>> = {
  'oauth2-cc': OAUTH,
  ntlm: DIGEST,
  mtls: CLIENT_CERTIFICATE,
};

type Service = { what: string; port: number | null; protocol?: SpokenProtocol };

/** Services that are asked whether they are ready, or whose port alone is monitored: a name, and the port if none is given. */
export const SERVICES: Partial<Record<string, Service>> = {
  postgres: { what: 'The PostgreSQL query is', port: 5432, protocol: 'postgresql' },
  mysql: { what: 'The MySQL query is', port: 3306, protocol: 'mysql' },
  sqlserver: { what: 'The SQL Server query is', port: 1433 },
  oracledb: { what: 'The Oracle query is', port: 1521 },
  mongodb: { what: 'The MongoDB command is', port: 27_017 },
  redis: { what: 'The Redis command is', port: 6379, protocol: 'redis' },
  smtp: { what: 'The SMTP session is', port: 25, protocol: 'smtp' },
  mqtt: { what: 'The MQTT subscription is', port: 1883 },
  'grpc-keyword': { what: 'The gRPC request is', port: null },
  'kafka-producer': { what: 'The Kafka message is', port: 9092 },
  rabbitmq: { what: 'The RabbitMQ health request is', port: 15_672 },
  'websocket-upgrade': { what: 'The WebSocket handshake is', port: null },
};
