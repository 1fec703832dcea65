/** @jsxRuntime automatic @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import { memo } from './memo.ts';
import { colours, useOnDemand } from './onDemand.ts';
import { SCROLLS } from './scrolls.ts';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly text: string;
  /** As the agent wrote it; empty where it did not. */
  readonly language: string;
  /** More of it may come: it has no colours yet. */
  readonly live: boolean;
  readonly page: Page;
}

/** Code with its language, its colours, and buttons that copy it or insert it into the editor. */
export const CodeBlock = memo((props: Props) => <Code {...props} />);

function Code({ text, language, live, page }: Props) {
  const reader = useOnDemand(colours, !live && language !== '');
  const spans = reader?.highlight(text, language) ?? null;
  const [copied, setCopied] = useState(false);
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="grow quiet">{language}</span>
        <button
          type="button"
          class="icon-button"
          title={copied ? t('Copied') : t('Copy')}
          aria-label={copied ? t('Copied') : t('Copy')}
          onClick={() => {
            page.post({ type: 'copyText', text });
            setCopied(true);
          }}
          onBlur={() => setCopied(false)}
          onMouseLeave={() => setCopied(false)}
        >
          <Icon name={copied ? 'check' : 'copy'} />
        </button>
        <button
          type="button"
          class="icon-button"
          title={t('Insert at Cursor')}
          aria-label={t('Insert at Cursor')}
          onClick={() => page.post({ type: 'insertText', text })}
        >
          <Icon name="insert" />
        </button>
      </div>
      <pre class="code" {...SCROLLS}>
        <code>
          {spans === null
            ? text
            : spans.map(({ text: part, scope }, index) =>
                scope === '' ? (
                  part
                ) : (
                  <span key={index} class={`hl-${scope}`}>
                    {part}
                  </span>
                ),
              )}
        </code>
      </pre>
    </div>
  );
}
