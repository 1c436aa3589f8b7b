import { expect } from 'vitest';
import { type Element, xml2js } from 'xml-js';

/** An element of a parsed document: its name, attributes, text with CDATA, and children. */
export type XmlNode = { name: string; attributes: Record<string, string>; text: string; children: XmlNode[] };

/** Parses an XML document strictly, including rules of XML 1.0 that the parser does not check. */
export function parseXml(xml: string): XmlNode {
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
  expect(xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toContain(']]>');
  expect(xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toMatch(/&(?!(amp|lt|gt|quot|apos|#\d+);)/);
  const { elements = [] } = xml2js(xml, { compact: false }) as Element;
  const roots = elements.filter(({ type }) => type === 'element');
  expect(roots).toHaveLength(1);
  return readNode(roots[0] ?? {});
}

/** The children with this name. */
export function childrenOf(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

/** The only child with this name. */
export function childOf(node: XmlNode, name: string): XmlNode {
  const [child, ...others] = childrenOf(node, name);
  if (!child || others.length > 0)
    throw new Error(`<${node.name}> has ${others.length} more <${name}> than one`);
  return child;
}

function readNode({ name = '', attributes = {}, elements = [] }: Element): XmlNode {
  return {
    name,
    attributes: attributes as Record<string, string>,
    text: elements.map(({ text, cdata }) => String(text ?? cdata ?? '')).join(''),
    children: elements.filter(({ type }) => type === 'element').map(readNode),
  };
}
