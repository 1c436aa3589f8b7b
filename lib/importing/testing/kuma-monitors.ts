import type { SqlValue } from 'sql.js';
import type { KumaTables } from './create-kuma-database';

type Row = Record<string, SqlValue>;

/** Part of every secret below, so that a test can look for it. */
export const SECRET = 'hush';

/** Monitors of each type that can be imported, with the target they lead to. */
export const SUPPORTED: { row: Row; type: string; url: string }[] = [
  { row: { type: 'http', url: 'https://www.example.com/' }, type: 'http', url: 'https://www.example.com/' },
  {
    row: {
      type: 'http',
      url: `https://admin:${SECRET}@www.example.com/login`,
      headers: `{"X-Token": "${SECRET}", "Host": "internal.example.com"}`,
    },
    type: 'http',
    url: 'https://www.example.com/login',
  },
  {
    row: {
      type: 'http',
      url: 'https://api.example.com/health',
      method: 'POST',
      body: `{"token": "${SECRET}"}`,
      auth_method: 'basic',
      basic_auth_user: 'admin',
      basic_auth_pass: SECRET,
    },
    type: 'http',
    url: 'https://api.example.com/health',
  },
  {
    row: {
      type: 'http',
      url: `https://api.example.com/?key=${SECRET}`,
      auth_method: 'bearer',
      bearer_token: SECRET,
    },
    type: 'http',
    url: `https://api.example.com/?key=${SECRET}`,
  },
  {
    row: { type: 'keyword', url: 'https://www.example.com/', keyword: SECRET },
    type: 'http',
    url: 'https://www.example.com/',
  },
  {
    row: { type: 'json-query', url: 'https://api.example.com/', json_path: 'status', expected_value: SECRET },
    type: 'http',
    url: 'https://api.example.com/',
  },
  {
    row: { type: 'port', hostname: 'mail.example.com', port: 993 },
    type: 'tcp',
    url: 'mail.example.com:993',
  },
  { row: { type: 'port', hostname: '2001:db8::1', port: 443 }, type: 'tcp', url: '[2001:db8::1]:443' },
  { row: { type: 'ping', hostname: 'gateway.example.com' }, type: 'ping', url: 'gateway.example.com' },
  {
    row: {
      type: 'dns',
      hostname: 'example.com',
      dns_resolve_type: 'MX',
      dns_resolve_server: '192.0.2.53, 192.0.2.54',
      port: 5353,
    },
    type: 'dns',
    url: 'dns://192.0.2.53:5353/example.com?type=MX',
  },
  {
    row: { type: 'dns', hostname: 'example.com', dns_resolve_type: 'A', dns_resolve_server: '' },
    type: 'dns',
    url: 'dns:example.com?type=A',
  },
  {
    row: { type: 'globalping', subtype: 'ping', hostname: 'example.com', location: 'world' },
    type: 'ping',
    url: 'example.com',
  },
  {
    row: { type: 'globalping', subtype: 'http', url: 'https://example.com/' },
    type: 'http',
    url: 'https://example.com/',
  },
  {
    row: {
      type: 'postgres',
      database_connection_string: `postgres://admin:${SECRET}@db.example.com:5433/shop`,
    },
    type: 'tcp',
    url: 'db.example.com:5433',
  },
  {
    row: { type: 'mysql', database_connection_string: `mysql://admin:${SECRET}@db.example.com/shop` },
    type: 'tcp',
    url: 'db.example.com:3306',
  },
  {
    row: {
      type: 'sqlserver',
      database_connection_string: `Server=db.example.com,1444;User Id=sa;Password=${SECRET};`,
    },
    type: 'tcp',
    url: 'db.example.com:1444',
  },
  {
    row: {
      type: 'oracledb',
      database_connection_string: 'db.example.com:1521/shop',
      basic_auth_pass: SECRET,
    },
    type: 'tcp',
    url: 'db.example.com:1521',
  },
  {
    row: {
      type: 'mongodb',
      database_connection_string: `mongodb://admin:${SECRET}@a.example.com:27018,b.example.com/shop`,
    },
    type: 'tcp',
    url: 'a.example.com:27018',
  },
  {
    row: { type: 'redis', database_connection_string: `redis://:${SECRET}@cache.example.com` },
    type: 'tcp',
    url: 'cache.example.com:6379',
  },
  {
    row: { type: 'smtp', hostname: 'mail.example.com', port: 587 },
    type: 'tcp',
    url: 'mail.example.com:587',
  },
  {
    row: { type: 'mqtt', hostname: 'mqtt://broker.example.com', port: 1884, mqtt_password: SECRET },
    type: 'tcp',
    url: 'broker.example.com:1884',
  },
  {
    row: { type: 'grpc-keyword', grpc_url: 'grpc.example.com:50051', keyword: SECRET },
    type: 'tcp',
    url: 'grpc.example.com:50051',
  },
  {
    row: { type: 'kafka-producer', kafka_producer_brokers: '["kafka.example.com:9093"]' },
    type: 'tcp',
    url: 'kafka.example.com:9093',
  },
  {
    row: {
      type: 'rabbitmq',
      rabbitmq_nodes: '["https://rabbit.example.com:15672"]',
      rabbitmq_password: SECRET,
    },
    type: 'tcp',
    url: 'rabbit.example.com:15672',
  },
  {
    row: { type: 'websocket-upgrade', url: 'wss://live.example.com/socket' },
    type: 'tcp',
    url: 'live.example.com:443',
  },
  { row: { type: 'push', push_token: SECRET }, type: 'heartbeat', url: '' },
  {
    row: { type: 'keyword', url: 'https://www.example.com/', keyword: SECRET, invert_keyword: 1 },
    type: 'http',
    url: 'https://www.example.com/',
  },
];

/** Monitors that cannot be imported, with a part of the reason. */
export const UNSUPPORTED: { row: Row; reason: RegExp }[] = [
  { row: { type: 'group' }, reason: /becomes a tag/ },
  { row: { type: 'manual' }, reason: /by hand/ },
  { row: { type: 'docker', docker_container: 'shop' }, reason: /Docker containers are not supported/ },
  { row: { type: 'pm2', system_service_name: 'shop' }, reason: /PM2/ },
  { row: { type: 'system-service', system_service_name: 'nginx' }, reason: /System services/ },
  { row: { type: 'real-browser', url: 'https://www.example.com/' }, reason: /Browser checks/ },
  { row: { type: 'radius', hostname: 'radius.example.com', radius_secret: SECRET }, reason: /UDP/ },
  { row: { type: 'snmp', hostname: 'switch.example.com' }, reason: /UDP/ },
  { row: { type: 'ntp', hostname: 'time.example.com' }, reason: /UDP/ },
  { row: { type: 'steam', hostname: 'game.example.com', port: 27_015 }, reason: /UDP/ },
  { row: { type: 'gamedig', hostname: 'game.example.com', gamedig_token: SECRET }, reason: /UDP/ },
  { row: { type: 'sip-options', hostname: 'sip.example.com' }, reason: /SIP/ },
  { row: { type: 'tailscale-ping', hostname: 'nas' }, reason: /Tailscale/ },
  {
    row: {
      type: 'mongodb',
      database_connection_string: `mongodb+srv://admin:${SECRET}@cluster.example.com/`,
    },
    reason: /no host and port/,
  },
  { row: { type: 'http', url: 'https://www.example.com/', upside_down: 1 }, reason: /cannot invert/ },
  {
    row: {
      type: 'http',
      url: 'https://www.example.com/',
      auth_method: 'oauth2-cc',
      oauth_client_secret: SECRET,
    },
    reason: /OAuth 2\.0/,
  },
  {
    row: { type: 'http', url: 'https://www.example.com/', auth_method: 'ntlm', basic_auth_pass: SECRET },
    reason: /Only basic/,
  },
  {
    row: { type: 'http', url: 'https://www.example.com/', auth_method: 'mtls', tls_key: SECRET },
    reason: /Client certificates/,
  },
  {
    row: { type: 'dns', hostname: '1.2.0.192.in-addr.arpa', dns_resolve_type: 'NAPTR' },
    reason: /type NAPTR/,
  },
  { row: { type: 'port', hostname: 'mail.example.com' }, reason: /no host, port or URL/ },
  {
    row: { type: 'http', url: `ftp://admin:${SECRET}@www.example.com/` },
    reason: /target must start with https:/,
  },
  { row: { type: 'hologram' }, reason: /no check of this type/ },
];

/** A database of 200 monitors over all types of Uptime Kuma, with tags, groups and everything else that is not imported. */
export function kumaTables(): KumaTables {
  const kinds = [...SUPPORTED, ...UNSUPPORTED];
  const monitor = Array.from({ length: 200 }, (_, index): Row => {
    const { row } = kinds[index % kinds.length] ?? { row: {} };
    return { name: `Monitor ${index + 1}`, interval: 60, timeout: 48, retry_interval: 60, ...row };
  });
  return {
    monitor,
    tag: [{ id: 1, name: 'production', color: '#059669' }],
    monitor_tag: [{ monitor_id: 1, tag_id: 1, value: '' }],
    notification: [{ name: 'Email', config: `{"smtpPassword":"${SECRET}"}` }],
    status_page: [{ slug: 'main', title: 'Main' }],
    maintenance: [
      { title: 'Upgrade', description: '' },
      { title: 'Move', description: '' },
    ],
    proxy: [{ protocol: 'http', host: 'proxy.example.com', password: SECRET }],
    docker_host: [{ name: 'local', docker_daemon: '/var/run/docker.sock' }],
    setting: [{ key: 'jwtSecret', value: SECRET }],
    heartbeat: [{ monitor_id: 1, status: 1, msg: '200 - OK' }],
  };
}
