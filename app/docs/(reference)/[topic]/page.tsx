import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import type { PageProps } from '@/app/page-props';
import { Guide, type GuideSection } from '@/components/docs/guide';
import { EventArticle, ObjectArticle, OperationArticle } from '@/components/docs/operation-article';
import type { Reference } from '@/components/docs/reference';
import { loadReference } from '../../load-reference';

export async function generateMetadata({ params }: PageProps<'topic'>): Promise<Metadata> {
  const title = findTopic(await loadReference(), (await params).topic)?.title;
  return { title: title === undefined ? 'API reference' : `${title} · API reference` };
}

/** The operations of one topic, its guide, the events, or the objects. */
export default async function TopicPage({ params }: PageProps<'topic'>) {
  const topic = findTopic(await loadReference(), (await params).topic);
  if (topic === null) notFound();
  return (
    <>
      <h1 className="py-8 text-2xl font-semibold">{topic.title}</h1>
      {topic.articles}
    </>
  );
}

function findTopic(
  { reference, guides }: { reference: Reference; guides: GuideSection[] },
  name: string,
): { title: string; articles: ReactNode } | null {
  const own = guides
    .filter(({ page }) => page === `/docs/${name}`)
    .map((section) => <Guide key={section.id} section={section} />);
  if (name === 'heartbeats') return { title: 'Heartbeats', articles: own };
  if (name === 'events') {
    const articles = reference.events.map((event) => <EventArticle key={event.id} event={event} />);
    return { title: 'Events', articles };
  }
  if (name === 'objects') {
    const articles = reference.objects.map((object) => <ObjectArticle key={object.id} object={object} />);
    return { title: 'Objects', articles };
  }
  const group = reference.groups.find((each) => each.name === name);
  if (!group) return null;
  const operations = group.operations.map((operation) => (
    <OperationArticle key={operation.id} operation={operation} />
  ));
  return { title: group.title, articles: [...own, ...operations] };
}
