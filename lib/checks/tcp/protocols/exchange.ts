/** What is said with a server, as lines or bytes. Methods that read throw if it falls silent, closes the connection, or sends without end. */
export interface Conversation {
  /** Whether it is encrypted. */
  readonly isSecure: boolean;
  /** Whether the server closed the connection, or reset it. */
  readonly isClosed: boolean;
  /** Whether a server without encryption, or with a certificate that cannot be verified, is a failure. */
  readonly isStrict: boolean;
  /** The address that this end has, as mail servers are greeted with it: `[192.0.2.7]` (RFC 5321 4.1.3). */
  readonly ownAddressLiteral: string;
  /** Sends a line, which is shown as evidence. */
  send(line: string): void;
  /** Sends bytes. `shown` stands for them as evidence; null: nothing does. */
  sendBytes(bytes: Buffer | string, shown: string | null): void;
  /** The next line, without its end. `what` is awaited, for messages: `greeting`. */
  readLine(what: string): Promise<string>;
  /** The next bytes: as many as asked for. */
  readBytes(what: string, length: number): Promise<Buffer>;
  /** What arrives until `isEnough` holds of it, or the server or the time ends; at most `maxBytes`. */
  readText(isEnough: (text: string) => boolean, maxBytes: number): Promise<string>;
  /** Shows what was received in bytes as evidence. */
  noteReceived(shown: string): void;
  /** Negotiates TLS. */
  secure(options?: { verify?: boolean }): Promise<void>;
  /** Waits until the server closes the connection, at most the milliseconds. */
  awaitClose(ms: number): Promise<void>;
  /** The failure of a server that does not speak the protocol, with what it sent. */
  babble(sent: Buffer | string): Error;
  /** The failure of a server that is not ready, in its own words. */
  refusal(words: string): Error;
  /** The failure of a server that does not offer encryption by a command. */
  unencrypted(command: string): Error;
}

/** How a check finds out whether a server is ready, and how it leaves. */
export type ProtocolExchange = {
  /** The protocol in sentences. */
  name: string;
  /** Ports on which TLS comes first; on others, the protocol asks for it if it can. */
  tlsPorts?: readonly number[];
  /**
   * Returns once the server is ready, also if it then asks for a password, with what it first sent if that is text. Throws if it is not: with its own
   * words if it refuses.
   */
  begin(talk: Conversation): Promise<string | null>;
  /** Ends the session as the specification asks for. What goes wrong then is no failure. */
  end?(talk: Conversation): Promise<void>;
};
