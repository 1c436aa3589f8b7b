import { clip, clipLine, escapeEntities } from '../clip';
import { COLORS, type Message } from '../message';

/** Google Chat allows 32,000 bytes in a message: these limits stay below it even with four-byte characters and entities. */
const MAX_TITLE = 200;
const MAX_TEXT = 2000;
const MAX_VALUE = 300;

/** The body for a Google Chat incoming webhook: one card. There is no `text`, in which `<users/all>` would mention everyone. */
export function renderGoogleChat({ tone, title, text, facts, link, acknowledge, at }: Message): object {
  const heading = clipLine(title, MAX_TITLE);
  const paragraphs = [
    `<font color="${COLORS[tone]}"><b>${clipLine(title, MAX_TITLE, escapeEntities)}</b></font>`,
    ...(text === '' ? [] : [clip(text, MAX_TEXT, escapeEntities)]),
  ];
  const links = [acknowledge, link].flatMap((to) => to ?? []);
  const widgets = [
    { textParagraph: { text: paragraphs.join('\n') } },
    ...facts.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: clipLine(value, MAX_VALUE, escapeEntities), wrapText: true },
    })),
    { textParagraph: { text: at.toISOString() } },
    ...(links.length === 0 ? [] : [{ buttonList: { buttons: links.map(toButton) } }]),
  ];
  return { fallbackText: heading, cardsV2: [{ cardId: 'event', card: { sections: [{ widgets }] } }] };
}

function toButton({ label, url }: NonNullable<Message['link']>) {
  return { text: label, onClick: { openLink: { url } } };
}
