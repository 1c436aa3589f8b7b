import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { GuideArticle } from '@/components/docs/guide';
import { Prose } from '@/components/docs/prose';
import { readGuidePages, resolveLink } from '../read-pages';

type Props = { params: Promise<{ page?: string[] }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await findPage(params)).title };
}

/** A document of the guide. */
export default async function GuidePage({ params }: Props) {
  const { file, title, sections } = await findPage(params);
  return (
    <>
      <h1 className="py-8 text-2xl font-semibold">{title}</h1>
      {sections.map(({ id, title: name, tokens }) => (
        <GuideArticle key={id} id={id} title={id === '' ? null : name}>
          <Prose tokens={tokens} linkTo={(href) => resolveLink(file, href)} />
        </GuideArticle>
      ))}
    </>
  );
}

async function findPage(params: Props['params']) {
  const { page = [] } = await params;
  const href = ['/docs/guide', ...page].join('/');
  const found = (await readGuidePages()).find((each) => each.href === href);
  return found ?? notFound();
}
