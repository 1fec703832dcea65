// Loaded on demand: code told apart by `highlight.js`, as spans and never as HTML.
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

/** A piece of code. `scope` is highlight.js's own word, such as `keyword` or `string`; empty for what is neither. */
export interface CodeSpan {
  readonly text: string;
  readonly scope: string;
}

const colours = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});
colours.registerAlias({
  bash: ['shell', 'console', 'shellsession'],
  javascript: ['node'],
  json: ['jsonc', 'json5'],
  xml: ['vue', 'svelte'],
});

/** Characters beyond which code stays plain: the page must not wait for its colours. */
const MAX_LENGTH = 50_000;

/** The code in spans, in order and complete; null for a language that is not known here and for what is too long. */
export function highlight(code: string, language: string): readonly CodeSpan[] | null {
  const name = language.toLowerCase();
  if (code.length > MAX_LENGTH || !colours.registered(name)) return null;
  return spansOf(colours.highlight(name, code).children, '');
}

type Nodes = ReturnType<typeof colours.highlight>['children'];

function spansOf(nodes: Nodes, scope: string): CodeSpan[] {
  return nodes.flatMap((node): CodeSpan[] => {
    if (node.type === 'text') return [{ text: node.value, scope }];
    if (node.type !== 'element') return [];
    const { className } = node.properties;
    const [name] = Array.isArray(className) ? className : [];
    return spansOf(node.children, typeof name === 'string' ? name.replace(/^hljs-/, '') : scope);
  });
}
