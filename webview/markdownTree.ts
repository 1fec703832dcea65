/** Markdown as it is drawn: closed unions without HTML, so that nothing an agent writes can become an element of its choice. */
export type BlockNode =
  | { readonly type: 'paragraph'; readonly children: readonly InlineNode[] }
  /** The words of an item of a tight list. */
  | { readonly type: 'words'; readonly children: readonly InlineNode[] }
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly InlineNode[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly children: readonly BlockNode[] }
  | { readonly type: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly ItemNode[] }
  | {
      readonly type: 'table';
      readonly align: readonly Align[];
      readonly head: readonly (readonly InlineNode[])[];
      readonly rows: readonly (readonly (readonly InlineNode[])[])[];
    }
  | { readonly type: 'rule' };

export type Align = 'left' | 'center' | 'right' | null;

/** `done` null: it is no task. */
export interface ItemNode {
  readonly done: boolean | null;
  readonly children: readonly BlockNode[];
}

export type InlineNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'break' }
  | { readonly type: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly InlineNode[] }
  | { readonly type: 'link'; readonly target: LinkTarget; readonly children: readonly InlineNode[] };

/** Where a link may lead: an `http` or `https` address, or a file as the agent wrote it with its 1-based line. */
export type LinkTarget =
  | { readonly type: 'web'; readonly url: string }
  | { readonly type: 'file'; readonly path: string; readonly line: number | null };
