import { TextLink } from '@/components/ui/text-link';
import { HELP_TOPICS, type HelpTopic } from '@/lib/schemas/help-topics';
import { ButtonPanel } from '../menu/button-panel';

type Props = { topic: HelpTopic; buttonId: string; onClose: () => void };

/** What a topic is about, next to its button. */
export function HelpPanel({ topic, ...panel }: Props) {
  const { title, sentences, href } = HELP_TOPICS[topic];
  return (
    <ButtonPanel {...panel} label={title} align="start" className="w-80 bg-surface">
      <p className="font-medium">{title}</p>
      <p className="text-muted">{sentences.join(' ')}</p>
      <p>
        {/* What is typed in the form stays. */}
        <TextLink href={href} target="_blank">
          Read more in the docs
        </TextLink>
      </p>
    </ButtonPanel>
  );
}
