import ipaddr from 'ipaddr.js';

/** The keys of RFC 9460 and RFC 9461, by number. */
const KEYS = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath'];

/** The data of an HTTPS or SVCB record as zone files write it: `1 . alpn="h2,h3"`. What is not valid is shown as RFC 3597 does. */
export function formatService(data: Buffer): string {
  try {
    return readService(data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `\\# ${data.length} ${data.toString('hex')}`;
  }
}

/** Throws a `RangeError` if the data ends too early. */
function readService(data: Buffer): string {
  const { name, end } = readName(data, 2);
  const parts = [String(data.readUInt16BE(0)), name];
  for (let at = end; at < data.length; ) {
    const [key, length] = [data.readUInt16BE(at), data.readUInt16BE(at + 2)];
    at += 4 + length;
    if (at > data.length) throw new RangeError('a parameter ends too early');
    parts.push(formatParameter(key, data.subarray(at - length, at)));
  }
  return parts.join(' ');
}

/** A name, which is not compressed; `.` stands for the name of the record itself. */
function readName(data: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = data.readUInt8(at); length > 0; length = data.readUInt8(at)) {
    labels.push(data.toString('utf8', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.') || '.', end: at + 1 };
}

function formatParameter(key: number, value: Buffer): string {
  const name = KEYS[key] ?? `key${key}`;
  if (value.length === 0) return name;
  switch (name) {
    case 'mandatory':
      return `${name}=${split(value, 2)
        .map((each) => nameKey(each.readUInt16BE(0)))
        .join(',')}`;
    case 'alpn':
      return `${name}="${splitByLength(value).join(',')}"`;
    case 'port':
      return `${name}=${value.readUInt16BE(0)}`;
    case 'ipv4hint':
      return `${name}=${split(value, 4).map(formatAddress).join(',')}`;
    case 'ipv6hint':
      return `${name}=${split(value, 16).map(formatAddress).join(',')}`;
    case 'ech':
      return `${name}=${value.toString('base64')}`;
    default:
      return `${name}="${value.toString('utf8')}"`;
  }
}

function nameKey(key: number): string {
  return KEYS[key] ?? `key${key}`;
}

function formatAddress(bytes: Buffer): string {
  return ipaddr.fromByteArray([...bytes]).toString();
}

/** Parts of the same size. Throws a `RangeError` if the last one is shorter. */
function split(value: Buffer, size: number): Buffer[] {
  if (value.length % size !== 0) throw new RangeError('a value ends too early');
  return Array.from({ length: value.length / size }, (_, index) =>
    value.subarray(index * size, (index + 1) * size),
  );
}

/** Texts that each begin with their length in one byte. */
function splitByLength(value: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < value.length; at += 1 + value.readUInt8(at)) {
    texts.push(value.toString('utf8', at + 1, at + 1 + value.readUInt8(at)));
  }
  return texts;
}
