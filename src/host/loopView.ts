import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { HostState, HostToView, ViewToHost } from '../shared/messages.ts';
import { pageHtml } from './page.ts';
import type { RunController } from './runControl.ts';
import { parseViewMessage } from './viewMessages.ts';
import { createWebviewFeed } from './webviewFeed.ts';

/** What the view needs from the window. */
export interface LoopViewParts {
  readonly extensionUri: vscode.Uri;
  readonly controller: RunController;
  readonly state: () => HostState;
  /** Fires when the state changed for another reason than the run. */
  readonly onDidChangeState: vscode.Event<void>;
  /** Every message of the page but `ready`, checked. */
  readonly act: (
    message: Exclude<ViewToHost, { readonly type: 'ready' }>,
    reply: (message: HostToView) => void,
  ) => void;
  /** The page listens; the result is called when it no longer does. */
  readonly attach: (page: (message: HostToView) => void) => () => void;
}

/** Where a page is drawn: the Loop view, or an editor panel. */
export interface PagePlace {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
}

/** Draws the page into the webview and keeps it fed until its place is disposed. Several may be fed at the same time. */
export function attachLoopView(view: PagePlace, parts: LoopViewParts): void {
  const { controller, extensionUri } = parts;
  const { webview } = view;
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  // A page that is gone by now has no use for it.
  const post = (message: HostToView): void => void webview.postMessage(message).then(undefined, () => undefined);
  const feed = createWebviewFeed({ run: () => controller.shown, state: parts.state }, post);
  let detach: (() => void) | null = null;
  const hidden = (): void => {
    feed.hidden();
    detach?.();
    detach = null;
  };
  const unsubscribe = controller.onDidChange((change) => {
    if (change === 'events') feed.flush();
    else feed.stateChanged();
  });
  const subscriptions = [
    // The handler first, the page second: a page that is ready at once is heard too (case C57).
    webview.onDidReceiveMessage((raw: unknown) => {
      const message = parseViewMessage(raw);
      if (message === null) return;
      if (message.type !== 'ready') return parts.act(message, post);
      feed.ready(message.runId, message.lastSeq);
      detach ??= parts.attach(post);
    }),
    parts.onDidChangeState(() => feed.stateChanged()),
    view.onDidChangeVisibility(() => {
      if (!view.visible) hidden();
    }),
  ];
  view.onDidDispose(() => {
    hidden();
    unsubscribe();
    for (const subscription of subscriptions) subscription.dispose();
  });
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.html = pageHtml({
    script: address('webview.js'),
    style: address('webview.css'),
    source: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
    language: vscode.env.language,
  });
}
