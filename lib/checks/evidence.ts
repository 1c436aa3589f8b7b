/** The body of a response. */
export type SeenBody = {
  /** The beginning as text, at most 16 KiB; null if it is not text. */
  text: string | null;
  /** Bytes that were received. */
  size: number;
  /** Whether more was received, or sent, than `text` holds. */
  truncated: boolean;
  /** Its `Content-Type` and `Content-Encoding`; null without one. */
  type: string | null;
  encoding: string | null;
};

/** A certificate that a server presented. */
export type SeenCertificate = {
  subject: string;
  issuer: string;
  /** ISO 8601; null if unreadable. */
  validFrom: string | null;
  validTo: string | null;
  /** Names it is valid for: at most 20. */
  names: string[];
};

/** One query to a DNS server. */
export type SeenDnsQuery = { type: string; server: string; rcode: string; answers: string[] };

/** What a check saw. Everything in it was chosen by the target, so all of it is bounded, and credentials are replaced. */
export type Evidence = {
  /** The address that was connected to; null if none was. */
  address: string | null;
  /** The addresses that the name resolved to. */
  addresses: string[];
  /** Whether the server reset the connection of a tcp check right after it accepted it. */
  wasReset: boolean;
  /** The redirects that were followed, in order, each with where it led. */
  redirects: { statusCode: number; location: string }[];
  statusLine: string | null;
  /** Lowercase names. */
  headers: Record<string, string>;
  body: SeenBody | null;
  /** From the server's own certificate to its authority. */
  certificates: SeenCertificate[];
  /** Why the certificate could not be verified; null if it could, or without one. */
  certificateError: string | null;
  dnsQueries: SeenDnsQuery[];
  /** What was said in a protocol of a tcp check, as lines that begin with `>` (sent) or `<` (received). */
  dialog: string[];
};

/** What a check saw that reached nothing. */
export const NO_EVIDENCE: Evidence = {
  address: null,
  addresses: [],
  wasReset: false,
  redirects: [],
  statusLine: null,
  headers: {},
  body: null,
  certificates: [],
  certificateError: null,
  dnsQueries: [],
  dialog: [],
};

const MAX_ADDRESSES = 20;

/** The addresses of a name, as many as are kept. */
export function listAddresses(addresses: readonly string[] | null): string[] {
  return addresses === null ? [] : addresses.slice(0, MAX_ADDRESSES);
}

/** The address that is attempted first; null: unknown. */
export function firstOf(addresses: readonly string[] | null): string | null {
  return addresses?.[0] ?? null;
}

/** Shows the addresses of a name, and the one that was reached. */
export function showAddresses(addresses: readonly string[] | null, address: string | null): () => Evidence {
  return () => ({ ...NO_EVIDENCE, addresses: listAddresses(addresses), address });
}
