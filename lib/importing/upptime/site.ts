import { z } from 'zod';
import { looseFlag, looseText, looseTexts, looseWord } from '../files/loose';

/** A site of Upptime: https://github.com/upptime/uptime-monitor/blob/HEAD/src/interfaces.ts. */
export const siteSchema = z.object({
  name: looseText.transform((name) => name ?? ''),
  slug: looseWord,
  url: looseWord,
  type: looseWord,
  check: looseText.transform((check) => check || 'http'),
  port: looseWord,
  method: looseWord,
  headers: looseTexts,
  body: looseText,
  tags: looseTexts,
  icon: looseWord,
  ipv6: looseFlag,
  expectedStatusCodes: looseTexts,
  maxResponseTime: looseWord,
  maxRedirects: looseWord,
  requestTimeout: looseWord,
  __dangerous__insecure: looseFlag,
  __dangerous__disable_verify_peer: looseFlag,
  __dangerous__disable_verify_host: looseFlag,
  __dangerous__body_down: looseText,
  __dangerous__body_down_if_text_missing: looseText,
  __dangerous__body_degraded: looseText,
  __dangerous__body_degraded_if_text_missing: looseText,
});

export type Site = z.output<typeof siteSchema>;
