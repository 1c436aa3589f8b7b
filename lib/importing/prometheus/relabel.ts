import { z } from 'zod';
import { looseText, looseTexts, looseWord } from '../files/loose';

/** The labels of a target, and what its scrape sends: `__address__`, `__param_target`, `__param_module`. */
export type TargetLabels = ReadonlyMap<string, string>;

/** A rule: https://prometheus.io/docs/prometheus/latest/configuration/configuration/#relabel_config. */
export const ruleSchema = z.object({
  action: looseText.transform((action) => (action || 'replace').toLowerCase()),
  source_labels: looseTexts,
  target_label: looseWord,
  regex: looseText,
  replacement: looseText,
});
export type RelabelRule = z.output<typeof ruleSchema>;

/** What a rule that is not applied can change: what is probed, which targets there are, or other labels. */
export type Unknown = 'target' | 'selection' | 'label';

/** Patterns that match every value as a whole, the last as in the documentation of the exporter. */
const WHOLE = [null, '(.*)', '(.+)', '^(.*)$', '^(.+)$', '(.*)(:80)?'];

/**
 * Applies the rules that copy a label to another one or set it to a constant, as jobs of the exporter do. Returns also what the others
 * can change.
 */
export function relabel(
  given: TargetLabels,
  rules: readonly RelabelRule[],
): { labels: TargetLabels; unknown: Set<Unknown> } {
  const labels = new Map(given);
  const unknown = new Set<Unknown>();
  for (const rule of rules) {
    const value = resultOf(rule, labels);
    if (value !== null && rule.target_label !== null) labels.set(rule.target_label, value);
    else if (/^(keep|drop)/.test(rule.action)) unknown.add('selection');
    // Where the exporter itself is does not matter.
    else if (rule.target_label !== '__address__')
      unknown.add(/^__param_(target|module)$/.test(rule.target_label ?? '') ? 'target' : 'label');
  }
  return { labels, unknown };
}

/** What a rule sets its label to; null if that is not a copy or a constant. */
function resultOf(rule: RelabelRule, labels: TargetLabels): string | null {
  const { action, source_labels: sources, regex, replacement } = rule;
  const [source] = sources;
  if (action !== 'replace' || !WHOLE.includes(regex)) return null;
  if (replacement !== null && !replacement.includes('$')) return replacement;
  const isCopy = replacement === null || /^\$(1|\{1\})$/.test(replacement);
  return isCopy && source !== undefined && sources.length === 1 ? (labels.get(source) ?? '') : null;
}
