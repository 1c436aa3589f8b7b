import type { SpokenProtocol } from '../protocols';
import type { ProtocolExchange } from './exchange';
import { ftp } from './ftp';
import { imap } from './imap';
import { mysql } from './mysql';
import { pop3 } from './pop3';
import { postgresql } from './postgresql';
import { redis } from './redis';
import { smtp } from './smtp';
import { ssh } from './ssh';

/** How each protocol is spoken. A further one is a file here, a line, and its name in `PROTOCOL_LABELS`. */
export const EXCHANGES: Record<Exclude<SpokenProtocol, 'tls'>, ProtocolExchange> = {
  smtp,
  imap,
  pop3,
  ftp,
  ssh,
  postgresql,
  mysql,
  redis,
};
