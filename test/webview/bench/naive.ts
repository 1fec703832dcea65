/** The other reference of D1: a page that folds each message as it comes and writes all it knows anew, Markdown and all. */
import { parse } from 'marked';
import type { HostToView } from '../../../src/shared/messages.ts';
import { reduce } from '../../../src/shared/reduce.ts';
import { EMPTY_VIEW, type Item } from '../../../src/shared/view.ts';
import '../../../webview/style.css';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function html(item: Item): string {
  switch (item.type) {
    case 'message':
      return item.channel === 'thought'
        ? '<div class="disclosure thought"><button class="disclosure-row">Claude thought</button></div>'
        : `<div class="text">${parse(item.text)}</div>`;
    case 'tool': {
      const parts = (item.content ?? []).map((part) => {
        if (part.type === 'terminal') return '';
        const text = part.type === 'text' ? part.text : part.newText;
        return `<pre class="code">${escaped(text.split('\n').slice(-12).join('\n'))}</pre>`;
      });
      return `<div class="disclosure tool"><button class="disclosure-row">${escaped(item.title ?? '')} ${item.state}</button>${parts.join('')}</div>`;
    }
    default:
      return '';
  }
}

const main = document.createElement('main');
main.className = 'timeline';
document.body.append(main);
let view = EMPTY_VIEW;

window.addEventListener('message', ({ data }: MessageEvent<HostToView>) => {
  if (data.type !== 'batch') return;
  view = reduce(view, data.events);
  main.innerHTML = view.rounds.flatMap(({ items }) => items.map(html)).join('');
  main.scrollTop = main.scrollHeight;
});
