import { isWireObject } from '../protocol/parseWire.ts';
import type { ToolContent } from '../shared/toolCall.ts';
import type { Json, WireObject } from '../shared/wire.ts';

/** What a file holds now, as far as we read it. */
export type FileText =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'missing' }
  | { readonly type: 'unread'; readonly why: string };

/** Characters of a text that a preview still compares; the disk is read up to as many bytes. */
export const PREVIEW_LIMIT = 512 * 1024;

/**
 * The change that a `Write` or `Edit` asks for, against the file as it is (CLAUDE-TOOLS: "before approval"). Other tools
 * have none. What is too large or unreadable is said instead of shown.
 */
export function previewOf(name: string, input: WireObject, file: FileText): readonly ToolContent[] {
  const { file_path: path, content, old_string: oldString, new_string: newString } = input;
  if (typeof path !== 'string') return [];
  if (name === 'Write' && typeof content === 'string') {
    if (content.length > PREVIEW_LIMIT) return [note(`${content.length} characters: too large to compare.`)];
    switch (file.type) {
      case 'missing':
        return [{ type: 'diff', path, oldText: null, newText: content }];
      case 'text':
        return [{ type: 'diff', path, oldText: file.text, newText: content }];
      case 'unread':
        return [note(`The present content is not compared: ${file.why}. This would replace it:`), note(content)];
      default:
        return file satisfies never;
    }
  }
  if (name === 'Edit' && typeof oldString === 'string' && typeof newString === 'string') {
    const edit = { path, oldString, newString, all: input.replace_all === true };
    if (file.type === 'text') return [edited(edit, file.text)];
    const fragment = { type: 'diff', path, oldText: oldString, newText: newString } as const;
    return file.type === 'missing' ? [fragment] : [note(`Only the changed part: ${file.why}.`), fragment];
  }
  return [];
}

/**
 * What a call of the tool `name` gave, from the result's text and its structured form. After a failure the structured
 * form is a string (42-bash-failing), and only the text counts.
 */
export function resultContent(
  name: string | null,
  content: Json | undefined,
  structured: Json | undefined,
): readonly ToolContent[] {
  return (
    (structured !== undefined && isWireObject(structured) ? structuredContent(name, structured) : null) ??
    textsOf(content).map(withoutTag).filter(isFilled).map(note)
  );
}

function structuredContent(name: string | null, result: WireObject): readonly ToolContent[] | null {
  const { filePath: path, content, originalFile, oldString, newString, stdout, stderr } = result;
  const before = typeof originalFile === 'string' ? originalFile : null;
  if (name === 'Write' && typeof path === 'string' && typeof content === 'string') {
    return [{ type: 'diff', path, oldText: before, newText: content }];
  }
  if (name === 'Edit' && typeof path === 'string' && typeof oldString === 'string' && typeof newString === 'string') {
    return [edited({ path, oldString, newString, all: result.replaceAll === true }, before)];
  }
  if (name === 'Bash' && typeof stdout === 'string' && typeof stderr === 'string') {
    // What runs on in the background has printed nothing yet: only the text says where it runs (43-bash-background).
    if (typeof result.backgroundTaskId === 'string' && stdout === '' && stderr === '') return null;
    return [stdout, stderr].filter(isFilled).map(note);
  }
  return null;
}

/** The texts of a `tool_result`, which is a string or a list of text and image blocks (46-subagent). */
function textsOf(content: Json | undefined): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Json) => {
    if (!isWireObject(block)) return [];
    return typeof block.text === 'string' ? [block.text] : [`[${String(block.type)}]`];
  });
}

/** A failure's text stands between marks that are meant for the model (41-edit). */
function withoutTag(text: string): string {
  return /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(text)?.[1] ?? text;
}

/** The whole file before and after; only the changed part when the file does not hold the old string literally. */
function edited(
  edit: { readonly path: string; readonly oldString: string; readonly newString: string; readonly all: boolean },
  file: string | null,
): ToolContent {
  const { path, oldString, newString } = edit;
  if (file === null || oldString === '' || !file.includes(oldString)) {
    return { type: 'diff', path, oldText: oldString === '' ? null : oldString, newText: newString };
  }
  const newText = edit.all ? file.split(oldString).join(newString) : file.replace(oldString, () => newString);
  return { type: 'diff', path, oldText: file, newText };
}

function isFilled(text: string): boolean {
  return text !== '';
}

function note(text: string): ToolContent {
  return { type: 'text', text };
}
